mod hostile;
mod kept;
mod tiles;
