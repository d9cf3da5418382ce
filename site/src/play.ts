/** Plays samples, the loudest at half of what the device gives. */
import type { Sound } from "../gallery/gallery.js";

let context: AudioContext | undefined;
let playing: AudioBufferSourceNode | undefined;

export function play({ rate, samples }: Sound): void {
  context ??= new AudioContext();
  playing?.stop();
  const loudest = Math.max(...samples.map(Math.abs)) || 1;
  const buffer = context.createBuffer(1, samples.length, rate);
  buffer.copyToChannel(
    Float32Array.from(samples, (v) => (0.5 * v) / loudest),
    0,
  );
  playing = new AudioBufferSourceNode(context, { buffer });
  playing.connect(context.destination);
  playing.start();
}
