"""Cooperative Mountains and Valleys: hands, what is passed on, and advice."""
