import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyTrace } from '../../../src/actions/classify-trace.ts';
import { compareActions, type GoldenAction } from './compare-actions.ts';
import { fixtureInput, readTraceFixture } from './read-fixture.ts';

interface Counts {
  matched: number;
  differing: number;
}

/** Result of a comparison with folders of traces. */
export interface TracesReport {
  readonly types: ReadonlyMap<string, Counts>;
  readonly traces: readonly { readonly name: string; readonly isEqual: boolean }[];
  readonly faults: readonly { readonly trace: string; readonly text: string }[];
}

/** Classifies the traces of folders whose golden file contains the text, and compares the actions. */
export function checkTraces(folders: readonly string[], only = ''): TracesReport {
  const types = new Map<string, Counts>();
  const traces: { name: string; isEqual: boolean }[] = [];
  const faults: { trace: string; text: string }[] = [];
  for (const { folder, name } of folders.flatMap(goldenFiles)) {
    const text = readFileSync(join(folder, 'golden', name), 'utf8');
    if (!text.includes(only)) continue;
    const golden: { state: string; actions: GoldenAction[] } = JSON.parse(text);
    const before = faults.length;
    const { state, actions, fault } = classifyTrace(
      fixtureInput(readTraceFixture(join(folder, 'data', name))),
      (rule, thrown) => faults.push({ trace: name, text: `rule ${rule} threw: ${(thrown as Error).stack}` }),
    );
    if (state !== golden.state)
      faults.push({ trace: name, text: `state ${state}: ${(fault as Error)?.stack}` });
    const { matched, differing } = compareActions(actions, golden.actions);
    for (const type of matched) countsOf(types, type).matched++;
    for (const { type, text } of differing) {
      countsOf(types, type).differing++;
      faults.push({ trace: name, text });
    }
    traces.push({ name, isEqual: faults.length === before });
  }
  return { types, traces, faults };
}

function goldenFiles(folder: string) {
  const golden = join(folder, 'golden');
  return existsSync(golden) ? readdirSync(golden).map((name) => ({ folder, name })) : [];
}

function countsOf(types: Map<string, Counts>, type: string): Counts {
  const known = types.get(type) ?? { matched: 0, differing: 0 };
  types.set(type, known);
  return known;
}
