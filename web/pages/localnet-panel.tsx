import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { apiKey, type CallError, get, post } from '../api/client.ts';
import { toCallError, useCall, useRefresh } from '../api/use-call.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address, accountPage } from '../show/address.tsx';
import { MasterchainLink } from '../show/block-link.tsx';
import { coinName } from '../show/coin.ts';
import { Field, type FieldProps } from '../show/field.tsx';
import { formatNumber } from '../show/figures.ts';
import { CopyButton, Hash } from '../show/hash.tsx';
import { Badge, type FactRecord, Loaded, NotFound, PageTitle, Panel } from '../show/panel.tsx';
import { formatSpan, formatTime, noteChainTime } from '../show/time.tsx';
import './localnet-panel.css';

const REFRESH_MS = 2000;
const UNAUTHORIZED = 401;

async function load(abort: AbortSignal) {
  const { result } = await get('/localnet/status', undefined, abort);
  noteChainTime(result.time);
  return result;
}

type Status = Awaited<ReturnType<typeof load>>;

export function Page({ query }: PageProps) {
  const hasChain = serverInfo.value.has_local_chain;
  const call = useCall(load, hasChain ? 'localnet' : null);
  const needsKey = call.error?.status === UNAUTHORIZED;
  // Without the key it would be refused again and again.
  useRefresh(call.reload, hasChain && !needsKey ? REFRESH_MS : null);
  return (
    <>
      <PageTitle kind="Local chain">commands</PageTitle>
      {call.error !== undefined && needsKey ? (
        <LocalKeyBox error={call.error} onChange={call.reload} />
      ) : hasChain ? (
        <Loaded call={call}>
          {(status) => (
            <>
              <Panel title="State" facts={stateFacts(status)} />
              <div class="columns commands">
                {commandsOf(status, query.get('address') ?? '').map((command) => (
                  <CommandPanel key={command.title} command={command} onDone={call.reload} />
                ))}
              </div>
            </>
          )}
        </Loaded>
      ) : (
        <NotFound title="No local chain">
          This server reads {serverInfo.value.network}, which takes no commands.
        </NotFound>
      )}
    </>
  );
}

/** Commands need the key of the chain, whoever may read it. */
function LocalKeyBox({ error, onChange }: { readonly error: CallError; readonly onChange: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const save = (event: Event) => {
    event.preventDefault();
    apiKey.value = input.current!.value.trim();
    onChange();
  };
  return (
    <Panel title="Key of the local chain">
      <form class="command" onSubmit={save}>
        <p class="muted" role="status">
          {error.message}
        </p>
        <Field label="API key of this chain" inputRef={input} type="password" name="local-key" required />
        <button type="submit" class="primary">
          Unlock
        </button>
      </form>
    </Panel>
  );
}

const blockLink = (seqno: number) => <MasterchainLink seqno={seqno} word="block " />;

function stateFacts(status: Status): FactRecord {
  const { offset_seconds: ahead, lite_server: lite, faucet, fault, snapshots } = status;
  return {
    Health: fault === undefined ? <Badge kind="good">running</Badge> : <Badge kind="bad">{fault}</Badge>,
    'Newest block': blockLink(status.seqno),
    'Clock of the chain': `${formatTime(status.time)}${ahead === 0 ? '' : `, ${formatSpan(ahead)} ahead`}`,
    Blocks:
      status.mine === 'message' ? 'when there is a message' : `every ${formatNumber(status.block_ms)} ms`,
    Shards: status.shards,
    'Messages waiting': status.waiting_messages,
    Snapshots: snapshots.length === 0 ? 'none' : snapshots.join(', '),
    'Lite server': <code>{`${lite.host}:${lite.port}`}</code>,
    Faucet: <Hash value={faucet.address} page={accountPage(faucet.address)} name="address" isWhole />,
    'Its mnemonic': (
      <span class="with-copy">
        <span>{faucet.mnemonic.split(' ').length} words that everybody knows</span>
        <CopyButton text={faucet.mnemonic} label="Copy the mnemonic of the faucet" />
      </span>
    ),
  };
}

interface CommandField extends FieldProps {
  readonly name: string;
  /** Offers these and no others. */
  readonly choices?: readonly string[];
}

type Values = Readonly<Record<string, string>>;

interface Command {
  readonly title: string;
  readonly about: string;
  readonly fields: readonly CommandField[];
  /** The question before it is done; null for none. */
  readonly confirm?: (values: Values) => string | null;
  /** Does it, and says what was done. */
  readonly run: (values: Values) => Promise<ComponentChildren>;
}

/** `address` is filled in for the faucet. */
function commandsOf(status: Status, address: string): readonly Command[] {
  return [
    {
      title: 'Fund',
      about: 'Sends coins from the faucet; done when it has arrived.',
      fields: [
        { name: 'address', label: 'Address', defaultValue: address },
        { name: 'amount', label: coinName(), defaultValue: '100', inputMode: 'decimal' },
      ],
      run: async ({ address: to = '', amount = '' }) => {
        const { result } = await post('/localnet/fund', { address: to, amount });
        return (
          <>
            <Address address={result.address.toUpperCase()} /> has got {result.amount} {coinName()},{' '}
            {blockLink(result.seqno)}.
          </>
        );
      },
    },
    {
      title: 'Mine',
      about: 'Makes blocks at once, with the messages that wait.',
      fields: [{ name: 'count', label: 'Blocks', defaultValue: '1', inputMode: 'numeric' }],
      run: async ({ count }) => {
        const { result } = await post('/localnet/mine', { count: Number(count) });
        return <>The newest is now {blockLink(result.seqno)}.</>;
      },
    },
    {
      title: 'Advance time',
      about: 'Moves the clock of the chain forward. Only restoring a snapshot moves it back.',
      fields: [{ name: 'seconds', label: 'Seconds', defaultValue: '3600', inputMode: 'numeric' }],
      confirm: ({ seconds }) =>
        `Move the clock ${formatSpan(Number(seconds))} forward? Messages that are valid until an earlier time are refused then.`,
      run: async ({ seconds }) => {
        const { result } = await post('/localnet/advance', { seconds: Number(seconds) });
        return `The clock of the chain is at ${formatTime(result.time)}, ${formatSpan(result.offset_seconds)} ahead.`;
      },
    },
    {
      title: 'Snapshot',
      about: 'Keeps the chain as it is now.',
      fields: [{ name: 'name', label: 'Name', defaultValue: 'snapshot-1' }],
      confirm: ({ name = '' }) => (status.snapshots.includes(name) ? `Replace the snapshot ${name}?` : null),
      run: async ({ name = '' }) => {
        const { result } = await post('/localnet/snapshot', { name });
        return (
          <>
            Snapshot {result.name} was made at {blockLink(result.seqno)}.
          </>
        );
      },
    },
    {
      title: 'Restore',
      about: 'Puts the chain back to a snapshot.',
      fields: [{ name: 'name', label: 'Snapshot', choices: status.snapshots }],
      confirm: ({ name }) => `Go back to ${name}? All blocks after it are lost.`,
      run: async ({ name = '' }) => {
        const { result } = await post('/localnet/restore', { name });
        return (
          <>
            The chain is back at {blockLink(result.seqno)}.{' '}
            {result.index?.agrees === false &&
              `The index does not agree yet: ${result.index.reason ?? 'unknown reason'}.`}
          </>
        );
      },
    },
  ];
}

type Phase =
  | { readonly kind: 'ready' | 'running' }
  | { readonly kind: 'asking'; readonly question: string }
  | { readonly kind: 'good' | 'bad'; readonly text: ComponentChildren };

/** A command as a form, with a question where it cannot be undone, and its result. */
function CommandPanel({ command, onDone }: { readonly command: Command; readonly onDone: () => void }) {
  const { title, about, fields, confirm, run } = command;
  const [phase, setPhase] = useState<Phase>({ kind: 'ready' });
  const form = useRef<HTMLFormElement>(null);
  const yes = useRef<HTMLButtonElement>(null);
  const values = (): Values =>
    Object.fromEntries([...new FormData(form.current!)].map(([name, value]) => [name, String(value).trim()]));
  useEffect(() => {
    if (phase.kind === 'asking') yes.current?.focus();
  }, [phase.kind]);

  async function start(): Promise<void> {
    const given = values();
    setPhase({ kind: 'running' });
    try {
      setPhase({ kind: 'good', text: await run(given) });
      onDone();
    } catch (error) {
      setPhase({ kind: 'bad', text: toCallError(error).message });
    }
  }

  const submit = (event: Event) => {
    event.preventDefault();
    const question = confirm?.(values()) ?? null;
    if (question === null) void start();
    else setPhase({ kind: 'asking', question });
  };

  const hasNoChoice = fields.some(({ choices }) => choices?.length === 0);
  return (
    <Panel title={title}>
      <form ref={form} class="command" onSubmit={submit}>
        <p class="muted">{about}</p>
        {fields.map((field) => (
          <Input key={field.name} {...field} />
        ))}
        {phase.kind === 'asking' ? (
          <div class="question" role="alertdialog" aria-label={phase.question}>
            <p>{phase.question}</p>
            <div class="tools">
              <button ref={yes} type="button" class="primary" onClick={start}>
                Yes, {title.toLowerCase()}
              </button>
              <button type="button" onClick={() => setPhase({ kind: 'ready' })}>
                Cancel
              </button>
            </div>
          </div>
        ) : (
          <button type="submit" class="primary" disabled={phase.kind === 'running' || hasNoChoice}>
            {phase.kind === 'running' ? 'Working…' : title}
          </button>
        )}
        <div role="status">{'text' in phase && <p class={phase.kind}>{phase.text}</p>}</div>
      </form>
    </Panel>
  );
}

function Input({ choices, ...input }: CommandField) {
  if (choices === undefined) return <Field {...input} required maxLength={100} />;
  if (choices.length === 0) return <p>There is no snapshot yet.</p>;
  return (
    <label>
      <span>{input.label}</span>
      <select name={input.name} required>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  );
}
