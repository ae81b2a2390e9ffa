//! The only accumulator of time.
