mod hostile;
mod kept;
mod pictures;
mod tiles;
