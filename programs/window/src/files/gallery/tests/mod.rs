mod hostile;
mod kept;
mod live;
mod pictures;
mod tiles;
