/**
 * The four tables of the paper as printed: section 4.2 (mean of 10 runs per row; tolerance 1e-3 absolute on the gradient; at most 10000
 * iterations; AMD Ryzen 5800H, Python 3.7, NumPy 1.20, SciPy 1.6.3, PyManopt 0.2.5).
 */

export type PaperSolver = "ExPen-CG" | "PCAL" | "PenC" | "SLPG" | "RCG";
export type TableId = "noeig-n" | "noeig-p" | "brockett-n" | "brockett-p";

export interface PaperRow {
  readonly solver: PaperSolver;
  readonly fval: number;
  /** number of printed significant digits of fval */
  readonly digits: number;
  readonly iterations: number;
  readonly stationarity: number;
  readonly feasibility: number;
  readonly seconds: number;
}

interface PaperGroup {
  readonly n: number;
  readonly p: number;
  readonly rows: readonly PaperRow[];
}

export interface PaperTable {
  readonly id: TableId;
  readonly problem: "noeig" | "brockett";
  readonly caption: string;
  readonly groups: readonly PaperGroup[];
}

/** Printed significant digits of f, as in 2.810709e+03 */
const DIGITS = 7;

/** Parses lines of n and p, if they change, solver, f, iterations, stationarity, feasibility, seconds */
function table(id: TableId, what: string, text: string): PaperTable {
  const groups: (PaperGroup & { rows: PaperRow[] })[] = [];
  for (const line of text.trim().split("\n")) {
    const [seconds, feasibility, stationarity, iterations, fval, solver, p, n] = line.trim().split(/ +/).reverse();
    if (n) groups.push({ n: Number(n), p: Number(p), rows: [] });
    groups.at(-1)!.rows.push({
      solver: solver as PaperSolver,
      fval: Number(fval),
      digits: DIGITS,
      iterations: Number(iterations),
      stationarity: Number(stationarity),
      feasibility: Number(feasibility),
      seconds: Number(seconds),
    });
  }
  const [problem, letter] = id.split("-") as [PaperTable["problem"], string];
  return { id, problem, caption: `The results of the ${what} with varying ${letter}.`, groups };
}

export const paperTables: readonly PaperTable[] = [
  table(
    "noeig-n",
    "nonlinear eigenvalue problems",
    `
     250  50 ExPen-CG  2810.709  567.5 0.000563 1.79e-14   1.16
             PCAL      2810.709 1528.3 0.000844 9.83e-15   1.54
             PenC      2810.709 1211.4   0.0008 1.01e-14   1.21
             SLPG      2810.709 1275.3  0.00084 9.97e-15   1.25
             RCG       2810.709 1103.1 0.000978 5.49e-15   4.28
     500  50 ExPen-CG  2810.709  632.6 0.000683 1.92e-14   3.52
             PCAL      2810.709 1739.5 0.000867    1e-14   4.64
             PenC      2810.709 1486.1 0.000904 9.99e-15   3.82
             SLPG      2810.709 1274.7 0.000816 9.77e-15   3.67
             RCG       2810.709 1111.7 0.000978 5.85e-15   9.96
    1000  50 ExPen-CG  2810.709  715.6 0.000935 2.06e-14   5.14
             PCAL      2810.709 1849.6 0.000972 1.07e-14   7.61
             PenC      2810.709 1580.9 0.000905 1.09e-14   6.18
             SLPG      2810.709 1303.6 0.000769 1.11e-14   6.12
             RCG       2810.709 1492.2 0.000982  7.8e-15  18.53
    1500  50 ExPen-CG  2810.709    787 0.000788 2.22e-14   7.29
             PCAL      2810.709 1680.7 0.000924 1.13e-14    9.7
             PenC      2810.709 1651.8 0.000929  1.1e-14      9
             SLPG      2810.709 1281.3 0.000854  1.1e-14   8.51
             RCG       2810.709 1206.9 0.000983 8.32e-15  20.17
    2000  50 ExPen-CG  2810.709  866.4 0.000752 2.35e-14  10.14
             PCAL      2810.709   1863 0.000845 1.16e-14  14.17
             PenC      2810.709   1619 0.000918 1.15e-14  11.78
             SLPG      2810.709 1583.1 0.000896 1.14e-14  10.93
             RCG       2810.709 1140.2 0.000985 8.43e-15  24.49`,
  ),
  table(
    "noeig-p",
    "nonlinear eigenvalue problems",
    `
    1000  10 ExPen-CG  35.70857  165.1 0.000652 5.74e-15   0.23
             PCAL      35.70857  331.9 0.000836 3.03e-15   0.22
             PenC      35.70857  295.9 0.000734 3.42e-15   0.19
             SLPG      35.70857  266.8 0.000864  3.3e-15   0.13
             RCG       35.70857  179.7 0.000968 2.43e-15   0.43
    1000  30 ExPen-CG  648.2086  434.7 0.000739 1.07e-14   2.11
             PCAL      648.2086    860 0.000721 7.09e-15   1.74
             PenC      648.2086  846.7 0.000877 7.19e-15   1.61
             SLPG      648.2086  773.3 0.000744 7.11e-15    1.3
             RCG       648.2086  596.3  0.00099 5.31e-15   5.26
    1000  50 ExPen-CG  2810.709  752.3 0.000695 2.06e-14   5.51
             PCAL      2810.709 1845.1 0.000958 1.09e-14   7.56
             PenC      2810.709 1481.5 0.000877 1.08e-14   5.78
             SLPG      2810.709 1394.7 0.000766  1.1e-14   5.07
             RCG       2810.709 1019.1 0.000977 7.85e-15  17.62
    1000  70 ExPen-CG  7523.209 1111.8 0.000715 2.34e-14  14.15
             PCAL      7523.209 3612.8  0.00161 1.35e-14  19.82
             PenC      7523.209 2928.3 0.000891 1.36e-14   15.1
             SLPG      7523.209 2439.5 0.000946 1.37e-14  15.11
             RCG       7523.209 2248.9 0.000984 1.06e-14  52.19
    1000 100 ExPen-CG  21560.71 1639.7 0.000749  3.5e-14   29.8
             PCAL      21560.71 4775.8   0.0277 1.74e-14   39.3
             PenC      21560.71 4499.7  0.00582 1.76e-14  35.53
             SLPG      21560.71 4642.2 0.000888 1.72e-14  34.73
             RCG       21560.71 2871.3   0.0012  1.5e-14  102.8`,
  ),
  table(
    "brockett-n",
    "Brockett function minimization problems",
    `
     250  50 ExPen-CG -9.611694  962.7 0.000797 1.64e-14   2.99
             PCAL     -9.610215 2209.5 0.000996 8.46e-15   3.07
             PenC     -9.610213 2326.1 0.000993 8.43e-15   3.26
             SLPG     -9.610306 1848.4 0.000946 8.27e-15   2.45
             RCG      -9.613055 2417.4 0.000992 3.84e-15  12.39
     500  50 ExPen-CG -9.570277  859.4 0.000745 1.69e-14   6.97
             PCAL     -9.568621 1917.1  0.00099  8.2e-15   6.81
             PenC      -9.56862 2176.8  0.00099 8.29e-15   7.61
             SLPG     -9.568844 1844.6 0.000944 8.11e-15   6.15
             RCG      -9.571521 2172.6 0.000996 3.15e-15  24.76
    1000  50 ExPen-CG  -10.5675  816.8 0.000755 1.69e-14   9.17
             PCAL     -10.56576 1789.7 0.000991 8.22e-15  10.03
             PenC     -10.56577 2190.5  0.00099  8.2e-15  11.79
             SLPG       -10.566   1637 0.000948 7.97e-15  10.81
             RCG      -10.56893 3078.1 0.000994 3.07e-15  49.66
    1500  50 ExPen-CG -10.59979  723.9 0.000762 1.63e-14  12.14
             PCAL      -10.5983 1632.3 0.000987  7.8e-15     14
             PenC     -10.59828 2004.8 0.000996 7.87e-15  16.55
             SLPG      -10.5985 1518.6 0.000928  7.9e-15  12.49
             RCG      -10.60131 2845.3 0.000996 2.79e-15  66.11
    2000  50 ExPen-CG -10.98884  712.2 0.000763 1.67e-14  16.49
             PCAL     -10.98736 1584.2 0.000981 7.97e-15  19.29
             PenC     -10.98741 1837.1 0.000967 7.93e-15  21.78
             SLPG     -10.98743 1514.2 0.000961  7.8e-15  15.59
             RCG      -10.99041 3106.6 0.000994 2.61e-15 101.91`,
  ),
  table(
    "brockett-p",
    "Brockett function minimization problems",
    `
    1000  10 ExPen-CG -2.551708  343.1  0.00062 4.62e-15   0.86
             PCAL      -2.55107  623.4  0.00095 2.19e-15   0.98
             PenC     -2.551053    675 0.000978  1.9e-15   1.01
             SLPG     -2.551101  582.3 0.000941 2.21e-15   0.87
             RCG      -2.552008 1278.9 0.000991 1.09e-15   5.69
    1000  30 ExPen-CG -6.479578  576.9 0.000695 9.92e-15   3.16
             PCAL     -6.478547 1345.6 0.000989 4.87e-15   3.99
             PenC     -6.478539 1553.4 0.000994  5.1e-15   4.42
             SLPG     -6.478541 1289.7 0.000972 4.86e-15   4.81
             RCG      -6.480546 2474.2 0.000995 2.11e-15  22.56
    1000  50 ExPen-CG -10.32617  838.2 0.000745 1.64e-14      9
             PCAL     -10.32438 1698.3 0.000994 8.25e-15   9.66
             PenC     -10.32442 2127.4 0.000988 8.22e-15  11.58
             SLPG     -10.32457 1522.5 0.000939 8.13e-15   9.71
             RCG      -10.32752 2895.4 0.000996  3.1e-15  49.96
    1000  70 ExPen-CG -13.12272  850.7 0.000784 2.02e-14  12.65
             PCAL     -13.12096 2131.2 0.000996 1.03e-14  14.91
             PenC     -13.12099 2492.5 0.000997 1.03e-14  16.79
             SLPG     -13.12106 1848.2 0.000954 1.01e-14   16.2
             RCG      -13.12455 3298.1 0.000996 3.74e-15  69.18
    1000 100 ExPen-CG -20.39827 1169.3 0.000791 2.69e-14  22.14
             PCAL     -20.39602 2413.2 0.000997 1.31e-14  24.27
             PenC     -20.39603 2838.3 0.000994 1.31e-14  27.86
             SLPG     -20.39626 2289.9 0.000943 1.29e-14   24.6
             RCG      -20.40059 4261.6 0.000996 4.85e-15 128.97`,
  ),
];

export function paperRow(id: TableId, n: number, p: number, solver: PaperSolver): PaperRow | undefined {
  const group = paperTables.find((t) => t.id === id)?.groups.find((g) => g.n === n && g.p === p);
  return group?.rows.find((r) => r.solver === solver);
}
