import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { get, post } from '../api/client.ts';
import { type CallState, toCallError, useCall, useRefresh } from '../api/use-call.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address, accountPage } from '../show/address.tsx';
import { masterchainPage } from '../show/block-link.tsx';
import { CopyButton, Hash } from '../show/hash.tsx';
import { Badge, Empty, type FactRecord, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { formatSpan, formatTime } from '../show/time.tsx';
import './localnet-panel.css';

const REFRESH_MS = 2000;

async function load(abort: AbortSignal) {
  return (await get('/localnet/status', undefined, abort)).result;
}

type Status = Awaited<ReturnType<typeof load>>;

/** Commands to the local chain. */
export function Page({ query }: PageProps) {
  const hasChain = serverInfo.value.has_local_chain;
  const call = useCall(load, hasChain ? 'localnet' : null);
  useRefresh(call.reload, hasChain ? REFRESH_MS : null);
  return (
    <>
      <PageTitle kind="Local chain">commands</PageTitle>
      {hasChain ? (
        <Loaded call={call}>
          {(status) => <Commands status={status} reload={call.reload} address={query.get('address') ?? ''} />}
        </Loaded>
      ) : (
        <Panel title="No local chain">
          <Empty>This server reads {serverInfo.value.network}, which takes no commands.</Empty>
        </Panel>
      )}
    </>
  );
}

interface CommandsProps extends Pick<CallState<Status>, 'reload'> {
  readonly status: Status;
  /** Filled in for the faucet. */
  readonly address: string;
}

function Commands({ status, reload, address }: CommandsProps) {
  return (
    <>
      <Panel title="State">
        <Facts facts={stateFacts(status)} />
      </Panel>
      <div class="columns commands">
        <Command
          title="Fund"
          about="Sends TON from the faucet; done when it has arrived."
          fields={[
            { name: 'address', label: 'Address', initial: address },
            { name: 'amount', label: 'TON', initial: '100', mode: 'decimal' },
          ]}
          onDone={reload}
          run={async ({ address: to = '', amount = '' }) => {
            const { result } = await post('/localnet/fund', { address: to, amount });
            return (
              <>
                <Address address={result.address.toUpperCase()} /> has got {result.amount} TON,{' '}
                <Block seqno={result.seqno} />.
              </>
            );
          }}
        />
        <Command
          title="Mine"
          about="Makes blocks at once, with the messages that wait."
          fields={[{ name: 'count', label: 'Blocks', initial: '1', mode: 'numeric' }]}
          onDone={reload}
          run={async ({ count }) => {
            const { result } = await post('/localnet/mine', { count: Number(count) });
            return (
              <>
                The newest is now <Block seqno={result.seqno} />.
              </>
            );
          }}
        />
        <Command
          title="Advance time"
          about="Moves the clock of the chain forward. Only restoring a snapshot moves it back."
          fields={[{ name: 'seconds', label: 'Seconds', initial: '3600', mode: 'numeric' }]}
          confirm={({ seconds }) =>
            `Move the clock ${formatSpan(Number(seconds))} forward? Messages that are valid until an earlier time are refused then.`
          }
          onDone={reload}
          run={async ({ seconds }) => {
            const { result } = await post('/localnet/advance', { seconds: Number(seconds) });
            return `The clock of the chain is at ${formatTime(result.time)}, ${formatSpan(result.offset_seconds)} ahead.`;
          }}
        />
        <Command
          title="Snapshot"
          about="Keeps the chain as it is now."
          fields={[{ name: 'name', label: 'Name', initial: 'snapshot-1' }]}
          confirm={({ name = '' }) =>
            status.snapshots.includes(name.trim()) ? `Replace the snapshot ${name.trim()}?` : null
          }
          onDone={reload}
          run={async ({ name = '' }) => {
            const { result } = await post('/localnet/snapshot', { name: name.trim() });
            return (
              <>
                Snapshot {result.name} was made at <Block seqno={result.seqno} />.
              </>
            );
          }}
        />
        <Command
          title="Restore"
          about="Puts the chain back to a snapshot."
          fields={[{ name: 'name', label: 'Snapshot', choices: status.snapshots }]}
          confirm={({ name }) => `Go back to ${name}? All blocks after it are lost.`}
          onDone={reload}
          run={async ({ name = '' }) => {
            const { result } = await post('/localnet/restore', { name });
            return (
              <>
                The chain is back at <Block seqno={result.seqno} />.{' '}
                {result.index?.agrees === false &&
                  `The index does not agree yet: ${result.index.reason ?? 'unknown reason'}.`}
              </>
            );
          }}
        />
      </div>
    </>
  );
}

function Block({ seqno }: { readonly seqno: number }) {
  return <a href={hrefOf(masterchainPage(seqno))}>block {seqno}</a>;
}

function stateFacts(status: Status): FactRecord {
  const { offset_seconds: ahead, lite_server: lite, faucet, fault, snapshots } = status;
  return {
    Health: fault === undefined ? <Badge kind="good">running</Badge> : <Badge kind="bad">{fault}</Badge>,
    'Newest block': <Block seqno={status.seqno} />,
    'Clock of the chain': `${formatTime(status.time)}${ahead === 0 ? '' : `, ${formatSpan(ahead)} ahead`}`,
    Blocks:
      status.mine === 'message'
        ? 'when there is a message'
        : `every ${status.block_ms.toLocaleString('en')} ms`,
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

interface Field {
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly mode?: 'decimal' | 'numeric';
  /** Offers these and no others. */
  readonly choices?: readonly string[];
}

type Values = Readonly<Record<string, string>>;

interface CommandProps {
  readonly title: string;
  readonly about: string;
  readonly fields: readonly Field[];
  /** The question before it is done; null for none. */
  readonly confirm?: (values: Values) => string | null;
  /** Does it, and says what was done. */
  readonly run: (values: Values) => Promise<ComponentChildren>;
  readonly onDone: () => void;
}

type Phase =
  | { readonly kind: 'ready' }
  | { readonly kind: 'asking'; readonly question: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly text: ComponentChildren }
  | { readonly kind: 'failed'; readonly text: string };

/** A command as a form, with a question where it cannot be undone, and its result. */
function Command({ title, about, fields, confirm, run, onDone }: CommandProps) {
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
      setPhase({ kind: 'done', text: await run(given) });
      onDone();
    } catch (error) {
      setPhase({ kind: 'failed', text: toCallError(error).message });
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
          <Input key={field.name} field={field} />
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
        <div role="status">
          {phase.kind === 'done' && <p class="good">{phase.text}</p>}
          {phase.kind === 'failed' && <p class="bad">{phase.text}</p>}
        </div>
      </form>
    </Panel>
  );
}

function Input({ field: { name, label, initial, mode, choices } }: { readonly field: Field }) {
  const id = useId();
  if (choices?.length === 0) return <p>There is no snapshot yet.</p>;
  return (
    <label for={id}>
      <span>{label}</span>
      {choices === undefined ? (
        <input
          id={id}
          name={name}
          defaultValue={initial ?? ''}
          inputMode={mode ?? 'text'}
          required
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
        />
      ) : (
        <select id={id} name={name} required>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </label>
  );
}
