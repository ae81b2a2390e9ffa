{
  description = "Plays, renders and converts 2D skeletal characters and sprite sheets";

  # Rust 1.95 or later.
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      manifest = lib.importTOML ./Cargo.toml;
      eachSystem = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      # Loaded when the window opens.
      libraries = pkgs: with pkgs; [
        libGL
        libxkbcommon
        vulkan-loader
        wayland
        xorg.libX11
        xorg.libXcursor
        xorg.libXi
        xorg.libxcb
      ];
      build = pkgs: pkgs.rustPlatform.buildRustPackage {
        pname = "pchr";
        inherit (manifest.workspace.package) version;
        src = self;
        cargoLock.lockFile = ./Cargo.lock;
        cargoBuildFlags = [ "-p" "pchr-cli" "-p" "pchr-view" ];
        # Tests need drivers, browsers and fixtures.
        doCheck = false;
        nativeBuildInputs = [ pkgs.makeWrapper ];
        postInstall = lib.optionalString pkgs.stdenv.hostPlatform.isLinux ''
          mkdir programs-built
          mv $out/bin/pchr $out/bin/pchr-view programs-built
          bash scripts/install --prefix $out --programs programs-built
          rm $out/share/pchr/installed
          wrapProgram $out/bin/pchr-view --prefix LD_LIBRARY_PATH : ${lib.makeLibraryPath (libraries pkgs)}
        '';
        meta = {
          description = "Plays, renders and converts 2D skeletal characters and sprite sheets";
          homepage = manifest.workspace.package.repository;
          license = with lib.licenses; [ mit asl20 ];
          mainProgram = "pchr-view";
        };
      };
    in
    {
      packages = eachSystem (system: { default = build nixpkgs.legacyPackages.${system}; });
    };
}
