import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;
/** A run of a few files shows its times anyway. */
const FEW = 20;

/** Prints the ten slowest files at the end of a run, with what they spent on loading, hooks and tests. */
export function createSlowestFiles(): Reporter {
  const modules: TestModule[] = [];
  return {
    onTestModuleEnd: (module) => void modules.push(module),
    onTestRunEnd() {
      if (modules.length < FEW) return;
      const slowest = modules.map(timesOf).toSorted((a, b) => b.whole - a.whole);
      const rows = slowest
        .slice(0, SHOWN)
        .map(
          ({ name, project, whole, loading, hooks, tests }) =>
            `${seconds(whole)}  ${seconds(loading)}  ${seconds(hooks)}  ${seconds(tests)}  ${project.padEnd(8)}  ${name}`,
        );
      const title = '   whole  loading    hooks    tests  project   slowest files, in seconds';
      process.stdout.write(`\n${[title, ...rows].join('\n')}\n`);
    },
  };
}

function timesOf(module: TestModule) {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()].reduce(
    (sum, test) => sum + (test.diagnostic()?.duration ?? 0),
    0,
  );
  const loading = collectDuration + setupDuration + prepareDuration;
  return {
    name: module.relativeModuleId,
    project: module.project.name,
    whole: loading + duration,
    loading,
    hooks: Math.max(duration - tests, 0),
    tests,
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
