"""The language server: findings and fixes in editors, over the Language Server Protocol."""
