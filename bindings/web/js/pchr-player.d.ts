import {
  Character, ConvertOptions, Converted, ExportFormat, ExportOptions, Finding, Info, LoopMode, PchrError, Player, PlayOptions, Source, setWasm,
} from "./pchr.js";

export { Character, PchrError, Player, setWasm };

/** An event of the element; its fields are also in `detail`. */
export class PlayerEvent extends Event {
  readonly detail: Record<string, unknown>;
}

export interface ErrorFields {
  code: string;
  path: string;
  file: string | null;
  offset: number | null;
  message: string;
  error: Error;
}

type ElementPlayOptions = Omit<PlayOptions, "loop"> & { loop?: boolean | LoopMode };
type PictureOptions = { animation?: string; width?: number; height?: number; area?: [x: number, y: number, width: number, height: number] };

export class PchrPlayerElement extends HTMLElement {
  src: string;
  atlas: string;
  animation: string;
  skin: string;
  speed: number;
  loop: string;
  autoplay: boolean;
  crossfade: number;
  fit: string;
  padding: string;
  background: string;
  physics: string;
  show: string;
  poster: string;
  loading: string;
  renderer: string;
  controls: boolean;
  interactive: boolean;
  alt: string;
  currentTime: number;
  playbackRate: number;
  /** The visible area in world pixels, y up. Set one to zoom and pan; `null` fits again, as `fit` says. */
  area: [x: number, y: number, width: number, height: number] | null;
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  readonly animationNames: string[];
  readonly skinNames: string[];
  readonly slotNames: string[];
  readonly boneNames: string[];
  readonly info: Info | null;
  readonly findings: Finding[];
  readonly character: Character | null;
  readonly playing: Player["playing"] | null;
  readonly drawnBy: "webgl" | "cpu" | null;
  readonly ready: Promise<this>;
  play(name?: string, options?: ElementPlayOptions): void;
  queue(name: string, options?: ElementPlayOptions): void;
  pause(): void;
  stop(options?: { track?: number; fade?: number; keep?: boolean }): void;
  seek(secs: number): void;
  setSkins(names: string[]): void;
  setAttachment(slot: string, attachment?: string | null): void;
  moveBone(bone: string, x: number, y: number): void;
  releaseBone(bone?: string): void;
  readonly ikTargets: Player["ikTargets"];
  hitTest(clientX: number, clientY: number): { slot: string | null; x: number; y: number };
  load(source: Source, options?: { main?: string }): Promise<this>;
  toBlob(options?: PictureOptions & { type?: string; time?: number }): Promise<Blob>;
  exportAnimation(format: ExportFormat, options?: Omit<ExportOptions, "area"> & PictureOptions): Promise<Blob>;
  convert(to: string, options?: ConvertOptions): Promise<Converted>;
}

declare global {
  interface HTMLElementTagNameMap {
    "pchr-player": PchrPlayerElement;
  }
}
