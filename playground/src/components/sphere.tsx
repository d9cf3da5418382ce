/** The unit sphere and what moves on it and beside it. Drag or use the arrow keys to turn it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Look, markerPath } from "../palette.js";
import { dark } from "../theme.js";
import { type Camera, project, type Seen } from "./projection.js";

/** distance from the centre, in radii of the sphere, up to which points are sure to fit into the picture */
const FARTHEST = 4;
/** pixels around the picture, for the markers at its edge */
const MARGIN = 12;

export interface Trail {
  label: string;
  look: Look;
  /** points of ℝ³, one after the other */
  points: number[];
}

interface Props {
  trails: Trail[];
  /** how many points of each trail are shown */
  shown: number;
  /** distances from the sphere are multiplied by this */
  exaggeration: number;
  label: string;
  height?: number;
}

export function Sphere({ trails, shown, exaggeration, label, height = 420 }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [turned, setAngles] = useState<{ turn: number; tilt: number }>();
  const start = trails[0]?.points.slice(0, 3);
  const angles = turned ?? sideView(start?.[0], start?.[1], start?.[2]);
  const [width, setWidth] = useState(600);
  const night = dark.value;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = canvas.current!;
    const ratio = window.devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = height * ratio;
    const ctx = element.getContext("2d")!;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const camera = fitting(angles, width, height, trails, exaggeration);
    draw(ctx, camera, { trails, shown, exaggeration, night, width, height });
  }, [trails, shown, exaggeration, angles.turn, angles.tilt, width, height, night]);

  const move = (dx: number, dy: number): void =>
    setAngles({ turn: angles.turn + dx, tilt: Math.max(-1.5, Math.min(1.5, angles.tilt + dy)) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, 0.1],
      ArrowDown: [0, -0.1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    move(...step);
  };
  return (
    <canvas
      ref={canvas}
      class="sphere"
      style={{ height: `${height}px` }}
      role="img"
      tabIndex={0}
      aria-label={`${label} Arrow keys turn the picture.`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.buttons > 0) move(event.movementX * 0.01, event.movementY * 0.01);
      }}
    />
  );
}

/** The camera that shows the sphere and the trails as large as the canvas allows; what is farther out than FARTHEST may leave it. */
function fitting(
  angles: { turn: number; tilt: number },
  width: number,
  height: number,
  trails: Trail[],
  exaggeration: number,
): Camera {
  const unit: Camera = { ...angles, centre: [0, 0], scale: 1 };
  let [left, right, top, bottom] = [-1, 1, -1, 1];
  for (const { points } of trails) {
    for (const { x, y } of seenFrom(unit, points, exaggeration)) {
      [left, right] = [Math.min(left, Math.max(x, -FARTHEST)), Math.max(right, Math.min(x, FARTHEST))];
      [top, bottom] = [Math.min(top, Math.max(y, -FARTHEST)), Math.max(bottom, Math.min(y, FARTHEST))];
    }
  }
  const scale = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
  return {
    ...angles,
    scale,
    centre: [(width - scale * (left + right)) / 2, (height - scale * (top + bottom)) / 2],
  };
}

/** The points of a trail as the camera sees them; distances from the sphere are exaggerated along the radius. */
function seenFrom(camera: Camera, points: number[], exaggeration: number): Seen[] {
  const seen: Seen[] = [];
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!];
    const r = Math.hypot(x, y, z);
    const factor = r > 0 ? Math.max(0, 1 + (r - 1) * exaggeration) / r : 1;
    seen.push(project(camera, x * factor, y * factor, z * factor));
  }
  return seen;
}

/** The start seen from the side, where distances from the sphere show. */
function sideView(x = 1, y = 0, z = 0): { turn: number; tilt: number } {
  return {
    turn: Math.atan2(-x, -y) - 0.9,
    tilt: Math.max(-0.9, Math.min(0.9, -0.6 * Math.asin(Math.max(-1, Math.min(1, z))))),
  };
}

interface Scene extends Pick<Props, "trails" | "shown" | "exaggeration"> {
  night: boolean;
  width: number;
  height: number;
}

function draw(ctx: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
  const { trails, shown, exaggeration, night, width, height } = scene;
  ctx.clearRect(0, 0, width, height);
  const [cx, cy] = camera.centre;
  const shade = ctx.createRadialGradient(
    cx - camera.scale * 0.4,
    cy - camera.scale * 0.5,
    camera.scale * 0.1,
    cx,
    cy,
    camera.scale,
  );
  shade.addColorStop(0, night ? "#2c3a49" : "#ffffff");
  shade.addColorStop(1, night ? "#1b242e" : "#dbe5ee");
  ctx.fillStyle = shade;
  ctx.beginPath();
  ctx.arc(cx, cy, camera.scale, 0, 2 * Math.PI);
  ctx.fill();
  const [front, back] = night ? ["#6b7c8f", "#35414e"] : ["#93a5b6", "#d3dce4"];
  for (const circle of graticule()) strokeByDepth(ctx, camera, circle, front, back);
  for (const { look, points } of trails) {
    trail(ctx, camera, points.slice(0, 3 * shown), look, exaggeration);
  }
}

/** Meridians and parallels of the unit sphere, every 30°. */
function graticule(): [number, number, number][][] {
  const circles: [number, number, number][][] = [];
  const round = Array.from({ length: 73 }, (_, i) => (i * Math.PI) / 36);
  for (let i = 0; i < 6; i++) {
    const a = (i * Math.PI) / 6;
    circles.push(round.map((t) => [Math.cos(a) * Math.cos(t), Math.sin(a) * Math.cos(t), Math.sin(t)]));
  }
  for (const b of [-60, -30, 0, 30, 60].map((d) => (d * Math.PI) / 180)) {
    circles.push(round.map((t) => [Math.cos(b) * Math.cos(t), Math.cos(b) * Math.sin(t), Math.sin(b)]));
  }
  return circles;
}

function strokeByDepth(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  curve: [number, number, number][],
  front: string,
  back: string,
): void {
  ctx.lineWidth = 0.8;
  for (let i = 0; i + 1 < curve.length; i++) {
    const [a, b] = [project(camera, ...curve[i]!), project(camera, ...curve[i + 1]!)];
    ctx.strokeStyle = a.depth + b.depth > 0 ? front : back;
    ctx.beginPath();
    ctx.moveTo(a.x, a.y);
    ctx.lineTo(b.x, b.y);
    ctx.stroke();
  }
}

/** The iterates joined by lines; what lies behind the sphere is fainter. */
function trail(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  points: number[],
  look: Look,
  exaggeration: number,
): void {
  const seen = seenFrom(camera, points, exaggeration);
  ctx.strokeStyle = ctx.fillStyle = look.colour;
  ctx.lineWidth = 2.2;
  for (let i = 0; i + 1 < seen.length; i++) {
    const [a, b] = [seen[i]!, seen[i + 1]!];
    ctx.globalAlpha = a.depth + b.depth > 0 ? 1 : 0.35;
    ctx.setLineDash(look.dash);
    ctx.beginPath();
    ctx.moveTo(a.x, a.y);
    ctx.lineTo(b.x, b.y);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  for (const [i, s] of seen.entries()) {
    const last = i === seen.length - 1;
    if (!last && i > 0 && i > 60) continue;
    ctx.globalAlpha = s.depth > 0 ? 1 : 0.35;
    const path = new Path2D(markerPath(look.marker, s.x, s.y, last ? 6.5 : i === 0 ? 5 : 2.6));
    if (i === 0 || look.marker === "cross" || look.marker === "plus") ctx.stroke(path);
    else ctx.fill(path);
  }
  ctx.globalAlpha = 1;
}
