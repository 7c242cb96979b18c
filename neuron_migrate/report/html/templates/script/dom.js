"use strict";
const find = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const make = (tag, content, name) => {
  const made = document.createElement(tag);
  if (content !== undefined) made.append(...[content].flat());
  if (name) made.className = name;
  return made;
};
const stored = (change) => {
  try { return change(window.localStorage); } catch { return null; }  // a page of a file may have no storage
};
