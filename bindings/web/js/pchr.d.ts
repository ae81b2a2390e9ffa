export type WasmSource = string | URL | BufferSource | WebAssembly.Module | (() => Promise<BufferSource>);
/**
 * Where the WebAssembly modules are, before anything is loaded. The tools write files, and are loaded only for that.
 * `spine` is a smaller player, for pages that show only Spine with PNGs.
 */
export function setWasm(player: WasmSource, tools?: WasmSource, spine?: WasmSource): void;

/** What went wrong, as `pchr validate` says it. */
export class PchrError extends Error {
  /** A stable code, such as `bone-out-of-range`. */
  code: string;
  /** The place in the file, in its own terms. */
  path: string;
  file: string | null;
  offset: number | null;
}

export type Source = string | URL | Blob | BufferSource | FileList | File[] | Map<string, Blob | BufferSource | string>;
export type LoopMode = "authored" | "loop" | "once" | "ping-pong";
/** In the world: pixels, y up. */
export type Area = [left: number, bottom: number, right: number, top: number];

export interface AnimationInfo {
  name: string;
  /** Seconds. */
  duration: number;
  looping: boolean;
  fps: number;
  frames: number;
}

export interface Finding {
  severity: "note" | "warning" | "error";
  code: string;
  path: string;
  file: string | null;
  offset: number | null;
  message: string;
}

export interface Info {
  format: string;
  animations: AnimationInfo[];
  defaultAnimation: string | null;
  skins: string[];
  slots: string[];
  /** Index of each slot's bone in `bones`; `null` if the slot has none. */
  slotBones: (number | null)[];
  bones: string[];
  events: string[];
  physics: boolean;
  pages: { name: string; width: number; height: number; pixel_art: boolean }[];
}

export interface TrackEvent {
  kind: "start" | "interrupt" | "complete" | "end" | "event";
  track: number;
  animation: string | null;
  name?: string;
  int?: number;
  float?: number;
  string?: string;
  audio?: string | null;
  volume?: number;
  balance?: number;
  time?: number;
}

export interface PlayOptions {
  track?: number;
  /** Of `queue`: seconds after the start of the previous animation; 0 or less: relative to its end. */
  delay?: number;
  loop?: LoopMode;
  /** Seconds of the cross-fade. */
  fade?: number;
  /** 0 to 1. */
  weight?: number;
  /** Negative: backwards. */
  speed?: number;
  /** Ends after this many seconds of playing; the track is idle then. */
  end?: number;
  /** First and last second to play. */
  range?: [number, number];
  /** How far the next animation must have replaced it, 0 to 1, for its attachments to be hidden. */
  attachments?: number;
  /** The same for its draw order. */
  drawOrder?: number;
  /** The same for its events. */
  events?: number;
  /** Added to lower tracks instead of replacing them. */
  add?: boolean;
  /** The previous animation keeps its strength while this one fades in. */
  hold?: boolean;
  /** Mixed rotations take the shortest way. */
  shortest?: boolean;
  /** Plays from end to start. */
  reverse?: boolean;
}

/** An animation as one file; the names are those of options of `pchr-view`. */
export interface ExportOptions {
  /** By default what plays. */
  animation?: string;
  /** Of keyed animations; by default that of the file. */
  fps?: number;
  speed?: number;
  /** 0: forever. By default as the file says. */
  loops?: number;
  /** Red, green and blue under partly transparent pixels of a GIF. */
  matte?: [number, number, number];
  width?: number;
  height?: number;
  area?: Area;
  signal?: AbortSignal;
}
export type ExportFormat = "apng" | "webp" | "gif";

/** A conversion; the names are those of options of `pchr convert`. */
export interface ConvertOptions {
  animations?: string[];
  skins?: string[];
  fps?: number;
  noImage?: boolean;
  signal?: AbortSignal;
}

export interface Converted {
  from: string;
  to: string;
  /** By path; the main file is the first. */
  files: Map<string, Uint8Array>;
  losses: { code: string; path: string; message: string }[];
  /** The largest error of a visible vertex, in world pixels, if it was measured. */
  worstErrorPx: number | null;
}

/** What a file contains. Any number of players share it. */
export class Character {
  static load(source: Source, options?: { atlas?: string | URL; main?: string; signal?: AbortSignal }): Promise<Character>;
  private constructor();
  readonly info: Info;
  readonly findings: Finding[];
  /** The first picture or atlas that it should have and that was not found. */
  readonly missing: PchrError | null;
  /** The premultiplied pixels of a page, or of some of its rows, RGBA; valid until the next call of anything. */
  page(page: number, row?: number, rows?: number): Uint8Array;
  /** The formats that it can be converted to. */
  targets(): Promise<{ name: string; about: string; extension: string }[]>;
  /** Converts it as `pchr convert` does: `to` is a value of `--to`, or an extension. */
  convert(to: string, options?: ConvertOptions): Promise<Converted>;
  /** Says that one user, of those that loaded it, needs it no more. */
  close(): void;
}

/** One character that plays, without an element. */
export class Player {
  constructor(character: Character);
  readonly character: Character;
  readonly width: number;
  readonly height: number;
  readonly area: Area;
  /** Picture pixels per unit of the world, and the place in the world of the upper-left corner. */
  readonly view: { scale: number; left: number; top: number };
  readonly playing: { animation: string | null; duration: number; ended: boolean; skins: string[] };
  /** The number of the animation that track 0 plays, in the order of the file; -1: none. */
  readonly animation: number;
  readonly time: number;
  readonly isMoving: boolean;
  play(name: string, options?: PlayOptions): void;
  queue(name: string, options?: PlayOptions): void;
  stop(options?: { track?: number; fade?: number; keep?: boolean }): void;
  seek(secs: number): void;
  /** Shows the first frame of the animation in which enough is visible, as a still picture does. */
  seekStill(): void;
  set(settings: { speed?: number; crossfade?: number; loop?: LoopMode; physics?: boolean }): void;
  setSkins(names: string[]): void;
  setAttachment(slot: string, attachment?: string | null): void;
  moveBone(bone: string, x: number, y: number): void;
  releaseBone(bone?: string): void;
  update(secs: number): TrackEvent[];
  refresh(): void;
  covered(which: "animation" | "all" | "frame"): Area;
  setView(width: number, height: number, area: Area): void;
  /** The active targets of inverse kinematics, with their places in the world. */
  readonly ikTargets: { bone: string; x: number; y: number }[];
  /** Overlays by their names, such as `bones` and `weights=arm`. */
  show(overlays: string[]): void;
  hit(x: number, y: number): { slot: string | null; x: number; y: number };
  /** Triangles for a renderer, valid until the next call of anything; `pchr.js` explains their form. */
  batches(): { vertices: Uint8Array; indices: Uint32Array; batches: Uint32Array; clips: Uint32Array; points: Float32Array; isHeavy: boolean };
  /** Draws on the CPU: RGBA with straight alpha, valid until the next call of anything. */
  paint(): Uint8Array;
  png(options?: { animation?: string; time?: number }): Promise<Uint8Array>;
  exportAnimation(format: ExportFormat, options?: ExportOptions): Promise<Blob>;
  free(): void;
}
