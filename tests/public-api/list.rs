fn main() {
    let path = std::env::args().nth(1).expect("a path");
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let api = public_api::Builder::from_rustdoc_json(path)
        .omit_blanket_impls(n >= 1)
        .omit_auto_trait_impls(n >= 2)
        .omit_auto_derived_impls(n >= 3)
        .build()
        .unwrap();
    print!("{api}");
}
