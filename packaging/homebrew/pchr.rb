class Pchr < Formula
  desc "Plays, renders and converts 2D skeletal characters and sprite sheets"
  homepage "https://github.com/pchr/pchr"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:pchr-@VERSION@-aarch64-apple-darwin.tar.gz@"
      resource "pchr-view" do
        url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-view-@VERSION@-aarch64-apple-darwin.tar.gz"
        sha256 "@SHA256:pchr-view-@VERSION@-aarch64-apple-darwin.tar.gz@"
      end
    end
    on_intel do
      url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:pchr-@VERSION@-x86_64-apple-darwin.tar.gz@"
      resource "pchr-view" do
        url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-view-@VERSION@-x86_64-apple-darwin.tar.gz"
        sha256 "@SHA256:pchr-view-@VERSION@-x86_64-apple-darwin.tar.gz@"
      end
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:pchr-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
      resource "pchr-view" do
        url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-view-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
        sha256 "@SHA256:pchr-view-@VERSION@-aarch64-unknown-linux-gnu.tar.gz@"
      end
    end
    on_intel do
      url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:pchr-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
      resource "pchr-view" do
        url "https://github.com/pchr/pchr/releases/download/v@VERSION@/pchr-view-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
        sha256 "@SHA256:pchr-view-@VERSION@-x86_64-unknown-linux-gnu.tar.gz@"
      end
    end
  end

  def install
    bin.install "pchr"
    doc.install "THIRD-PARTY-LICENSES.txt"
    resource("pchr-view").stage { bin.install "pchr-view" }
    generate_completions_from_executable(bin/"pchr", "completions")
    generate_completions_from_executable(bin/"pchr-view", "--completions")
    (man1/"pchr.1").write Utils.safe_popen_read(bin/"pchr", "man")
    (man1/"pchr-view.1").write Utils.safe_popen_read(bin/"pchr-view", "--man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pchr --version")
    assert_match version.to_s, shell_output("#{bin}/pchr-view --version")
  end
end
