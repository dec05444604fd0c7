"""What Fujisan and Country Road share: priests on a mountain of dominoes, and the shortest way for all four."""
