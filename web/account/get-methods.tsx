import { useState } from 'preact/hooks';
import { CallError, post } from '../api/client.ts';
import { toCallError } from '../api/use-call.ts';
import type { V2RunGetMethodResult, V2StackEntityInput } from '../api/v3.d.ts';
import { addressSlice } from '../cells/write-cell.ts';
import { parseAddress } from '../show/address-forms.ts';
import { exitCodeText } from '../show/exit-codes.ts';
import { Badge, Facts, Panel } from '../show/panel.tsx';
import { Select } from '../show/select.tsx';
import { type ArgumentKind, methodsOf, usualArguments } from './method-names.ts';
import { Stack } from './stack.tsx';
import type { AccountView } from './use-account.ts';
import './get-methods.css';

interface Argument {
  readonly id: number;
  readonly kind: ArgumentKind;
  readonly text: string;
}

const KINDS: Readonly<Record<ArgumentKind, string>> = {
  number: 'decimal or 0x…',
  address: 'in any form',
  cell: 'bag of cells, base64',
  slice: 'bag of cells, base64',
};

const KIND_OPTIONS = (Object.keys(KINDS) as ArgumentKind[]).map((kind) => [kind, kind] as const);

type Outcome = { readonly method: string } & (
  | { readonly result: V2RunGetMethodResult }
  | { readonly error: CallError }
  | { readonly isRunning: true }
);

let lastId = 0;
const newArgument = (kind: ArgumentKind): Argument => ({ id: ++lastId, kind, text: '' });

/** Runs get-methods of a contract. */
export function GetMethods({ account }: { readonly account: AccountView }) {
  const methods = methodsOf(account.methods ?? []);
  const [name, setName] = useState(methods[0]?.name ?? '');
  const [args, setArgs] = useState<readonly Argument[]>(() => usualArguments(name).map(newArgument));
  const [outcome, setOutcome] = useState<Outcome>();

  const choose = (chosen: string) => {
    setName(chosen);
    setArgs(usualArguments(chosen).map(newArgument));
  };
  const change = (id: number, part: Partial<Argument>) =>
    setArgs(args.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const run = async (event: Event) => {
    event.preventDefault();
    const method = name.trim();
    setOutcome({ method, isRunning: true });
    try {
      const stack = args.map(toStackInput);
      setOutcome({
        method,
        result: await post('/api/v3/runGetMethod', { address: account.address, method, stack }),
      });
    } catch (error) {
      setOutcome({ method, error: toCallError(error) });
    }
  };

  return (
    <Panel title="Run a get-method">
      <form class="get-method" onSubmit={run}>
        {methods.length > 0 && (
          <fieldset class="methods">
            <legend class="visually-hidden">Methods of this contract</legend>
            {methods.map((method) => (
              <button
                key={method.id}
                type="button"
                aria-pressed={method.name === name}
                onClick={() => choose(method.name)}
              >
                {method.name}
              </button>
            ))}
          </fieldset>
        )}
        <label class="name">
          <span>Method, by name or number</span>
          <input
            name="method"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={128}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
          />
        </label>
        {args.map(({ id, kind, text }, i) => (
          <div key={id} class="argument">
            <Select
              label={`Type of argument ${i + 1}`}
              value={kind}
              options={KIND_OPTIONS}
              onChange={(chosen) => change(id, { kind: chosen })}
            />
            <input
              aria-label={`Argument ${i + 1}`}
              value={text}
              placeholder={KINDS[kind]}
              onInput={({ currentTarget }) => change(id, { text: currentTarget.value })}
              required
              autocomplete="off"
              spellcheck={false}
            />
            <button
              type="button"
              aria-label={`Remove argument ${i + 1}`}
              onClick={() => setArgs(args.filter((one) => one.id !== id))}
            >
              ×
            </button>
          </div>
        ))}
        <div class="tools">
          <button type="button" onClick={() => setArgs([...args, newArgument('number')])}>
            Add argument
          </button>
          <button type="submit" class="primary" disabled={outcome !== undefined && 'isRunning' in outcome}>
            Run
          </button>
        </div>
      </form>
      <div role="status">{outcome !== undefined && <OutcomeView outcome={outcome} />}</div>
    </Panel>
  );
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  if ('isRunning' in outcome) return <p class="loading">Running {outcome.method}…</p>;
  if ('error' in outcome) return <p class="problem bad">{outcome.error.message}</p>;
  const { exit_code: code, gas_used: gas, stack } = outcome.result;
  const isGood = code === 0 || code === 1;
  return (
    <>
      <Facts
        facts={{
          Method: <code>{outcome.method}</code>,
          'Exit code': (
            <>
              {code} <Badge kind={isGood ? 'good' : 'bad'}>{exitCodeText(code)}</Badge>
            </>
          ),
          'Gas used': gas.toLocaleString('en'),
        }}
      />
      <h3 class="stack-title">Result</h3>
      <Stack entries={stack} />
    </>
  );
}

function toStackInput({ kind, text: given }: Argument, index: number): V2StackEntityInput {
  const text = given.trim();
  if (kind === 'number') {
    if (!/^-?(?:\d+|0x[0-9a-f]+)$/i.test(text))
      throw new CallError(0, `Argument ${index + 1} should be a number, decimal or 0x…`);
    return { type: 'num', value: text };
  }
  if (kind !== 'address') return { type: kind, value: text };
  const address = parseAddress(text);
  if (address === null) throw new CallError(0, `Argument ${index + 1} should be an address`);
  return { type: 'slice', value: addressSlice(address) };
}
