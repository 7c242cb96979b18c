"""The risk report as one HTML file that needs nothing but a browser."""
