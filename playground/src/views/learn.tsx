/** Three short lessons about the rest of the playground. */
import { useEffect, useMemo } from "preact/hooks";
import { change, go, setting } from "../address.js";
import { Chart } from "../chart/chart.js";
import { catalogue } from "../client.js";
import { SliderField } from "../components/fields.js";
import { Leaderboard } from "../components/leaderboard.js";
import { RaceCharts } from "../components/race-charts.js";
import { RunStatus } from "../components/run-status.js";
import { SliceView } from "../components/slice-view.js";
import { Sphere } from "../components/sphere.js";
import type { RaceSpec, SliceSpec } from "../protocol.js";
import { begin, runState } from "../run-state.js";
import { dark } from "../theme.js";
import { BETAS, Exact, example } from "./lesson-exact.js";
import { singularContent, trailsOf } from "./manifold.js";

const PAGES = ["Why a penalty can be exact", "What β does", "Why no retraction is needed"];
export default function Learn() {
  const page = Math.min(PAGES.length, Math.max(1, Number(setting("page", "1")) || 1));
  const Shown = [Exact, Beta, NoRetraction][page - 1]!;
  const turn = (to: number): void => {
    go("learn", { page: String(to) });
    document.getElementById("main")?.focus();
    window.scrollTo(0, 0);
  };
  return (
    <article class="lesson">
      <nav aria-label="Pages">
        {PAGES.map((title, i) => (
          <a
            key={title}
            href={`#/learn?page=${i + 1}`}
            aria-current={i + 1 === page ? "page" : undefined}
            onClick={(event) => {
              event.preventDefault();
              turn(i + 1);
            }}
          >
            {i + 1}. {title}
          </a>
        ))}
      </nav>
      <Shown />
      <div class="turn">
        <button type="button" disabled={page === 1} onClick={() => turn(page - 1)}>
          ← Back
        </button>
        <button type="button" disabled={page === PAGES.length} onClick={() => turn(page + 1)}>
          Next →
        </button>
      </div>
    </article>
  );
}

const betaRun = runState();

function Beta() {
  const beta = setting("beta", "1");
  const slice: SliceSpec = { ...example, betas: [Number(beta)] };
  const spec: RaceSpec = useMemo(
    () => ({
      problem: { kind: "catalog", name: "quadratic", options: {} },
      n: 60,
      p: 4,
      seed: 1,
      ridge: 2,
      entrants: [
        { solver: "expen-cg", options: { beta } },
        { solver: "expen-cg", options: { beta: "30" } },
        { solver: "expen-cg", options: { beta: "auto" } },
      ],
      threads: 1,
    }),
    [beta],
  );
  const ready = catalogue.value !== undefined;
  useEffect(() => {
    if (ready) begin(betaRun, spec);
  }, [spec, ready]);
  return (
    <>
      <section class="card">
        <h3>What β does</h3>
        <p>
          The penalty is exact if β is large enough. At a solution with multiplier S = sym(Xᵀ∇f) the curvature of h
          across the manifold is
        </p>
        <p class="display">
          <span>2β − 3/2·(λᵢ + λⱼ),</span> <span>λ the eigenvalues of S</span>
        </p>
        <p>
          so β must exceed 3/2·λmax(S). With a smaller β the solution is a saddle of h. A solver then finds a minimum of
          h off the manifold, with singular values 3/2·uᵀ∇f·v/β. The gradient of h is zero there: the solver converges,
          but to a spurious point. With a much larger β, h is steep across the manifold and flat along it, and every
          method takes more steps.
        </p>
        <SliderField name="beta" label="β" absent="1" values={BETAS} />
        <SliceView spec={{ ...slice }} kinds={["expen", "shifted"]} />
        <p>
          The shifted penalty subtracts ½⟨M, XᵀX − I⟩ from f with M ≈ S. That is zero on the manifold and makes the
          multiplier zero: every positive β is then large enough. The solvers here do this when β is “auto”.
        </p>
      </section>
      <section class="card">
        <h3>The same on a 60×4 problem</h3>
        <p>
          Conjugate gradients on h with the β above, with β = 30, and with the shift. A run that ends off the manifold
          is never called a success: the certificate looks at f and X alone.
        </p>
        <RunStatus run={betaRun} />
      </section>
      <Leaderboard run={betaRun} />
      <RaceCharts run={betaRun} />
    </>
  );
}

const pathRun = runState();

function NoRetraction() {
  const names = catalogue.value?.solvers.map((s) => s.name);
  const riemannian = names?.includes("rcg") ?? false;
  const ready = names !== undefined;
  useEffect(() => {
    if (!ready) return;
    begin(pathRun, {
      ...example,
      ridge: 0.5,
      entrants: [
        { solver: "expen-cg", options: { beta: "2" } },
        ...(riemannian ? [{ solver: "rcg", options: {} }] : []),
      ],
      threads: 1,
      path: true,
    });
  }, [ready, riemannian]);
  const lanes = pathRun.lanes.value;
  const trails = useMemo(() => trailsOf(lanes, 1), [lanes, dark.value]);
  const singular = useMemo(() => singularContent(lanes, 1), [lanes, dark.value]);
  return (
    <>
      <section class="card">
        <h3>Why no retraction is needed</h3>
        <p>
          A Riemannian method walks on the manifold: each step goes along a tangent, which leaves the manifold, and a
          retraction (a QR, a polar factor, a matrix exponential) brings it back. Directions of the last step must be
          carried over to the new tangent space.
        </p>
        <p>
          ExPen walks in the flat space around it. h is an ordinary smooth function, so that any unconstrained method
          can minimise it with matrix products alone, and h itself pulls the iterates back: the distance to the manifold
          is about ‖∇h‖/(2β), and goes to zero with the gradient.
        </p>
        <p>
          One projection at the very end removes the remaining infeasibility, which is due to rounding and the
          tolerance. It does not change f to first order.
        </p>
      </section>
      <div class="pair">
        <section class="card" aria-label="Path">
          <Sphere
            trails={trails}
            shown={1000}
            exaggeration={Number(setting("far", "3"))}
            label="The path of ExPen with conjugate gradients around the sphere."
            height={360}
          />
          <SliderField
            name="far"
            label="Distances from the sphere"
            absent="3"
            values={["1", "3", "10", "30"]}
            text={(v) => `× ${v}`}
          />
        </section>
        <section class="card" aria-label="Length of x">
          <Chart content={singular} height={360} legend />
          <p class="note">The length of x leaves 1 and returns to it by itself.</p>
        </section>
      </div>
      <Leaderboard run={pathRun} />
      <section class="card">
        <p>Now try it on a larger problem, or on one of your own.</p>
        <div class="keep">
          <button type="button" class="primary" onClick={() => go("race")}>
            Race
          </button>
          <button type="button" onClick={() => go("own")}>
            Your own
          </button>
          <button type="button" onClick={() => change({ far: "30" })}>
            Look closer
          </button>
        </div>
      </section>
    </>
  );
}
