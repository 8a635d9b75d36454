import type { ComponentChildren } from 'preact';
import { ActionList } from '../actions/action-list.tsx';
import { interfacesOf } from '../api/address-names.ts';
import { get } from '../api/client.ts';
import { useCall, useGet } from '../api/use-call.ts';
import type { Transaction } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { Ton } from '../show/amount.tsx';
import { blockName, blockPage, MasterchainLink } from '../show/block-link.tsx';
import { exitCodeText, resultCodeText, skipReasonText } from '../show/exit-codes.ts';
import { counted } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { MessageView, messageTitle } from '../show/message.tsx';
import { Badge, Empty, Facts, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { isFailed, kindOf, tracePage } from '../show/transaction-rows.tsx';
import './transaction.css';

const MAX_ACTIONS = 50;

async function load(hash: string, abort: AbortSignal): Promise<Transaction | null> {
  return (await get('/api/v3/transactions', { hash: [hash], limit: 1 }, abort)).transactions[0] ?? null;
}

/** One transaction: its actions, phases, fees and messages. */
export function Page({ path }: PageProps) {
  const hash = path.hash!;
  const call = useCall((abort) => load(hash, abort), hash);
  return (
    <>
      <PageTitle kind="Transaction">
        <Hash value={hash} name="transaction hash" isWhole />
      </PageTitle>
      <Loaded call={call} notFound="The index has no transaction with this hash. It may not be indexed yet.">
        {(transaction) => <TransactionView transaction={transaction} />}
      </Loaded>
    </>
  );
}

/** Messages of which the transaction at the other end is looked up. */
const MAX_LINKED = 100;

interface TransactionProps {
  readonly transaction: Transaction;
}

function TransactionView({ transaction }: TransactionProps) {
  const { in_msg: inMessage, out_msgs: outMessages } = transaction;
  const hashes = [...(inMessage === null ? [] : [inMessage]), ...outMessages]
    .slice(0, MAX_LINKED)
    .map(({ hash }) => hash);
  const ends = useGet(
    '/api/v3/messages',
    hashes.length === 0 ? null : { msg_hash: hashes, limit: MAX_LINKED },
  );
  const endsOf = (hash: string) => ends.data?.messages.find((message) => message.hash === hash);
  return (
    <>
      <Panel title="Summary" tools={<TraceLink id={transaction.trace_id} />}>
        <Facts facts={summaryOf(transaction)} />
      </Panel>
      <Actions hash={transaction.hash} />
      <div class="columns">
        <Panel title="Phases">
          <Phases transaction={transaction} />
        </Panel>
        <Panel title="Fees">
          <Fees transaction={transaction} />
        </Panel>
      </div>
      {inMessage !== null && (
        <Panel title="In message" count={messageTitle(inMessage)}>
          <MessageView
            message={inMessage}
            other={{ name: 'Sent by', hash: endsOf(inMessage.hash)?.out_msg_tx_hash }}
          />
        </Panel>
      )}
      {outMessages.map((message, i) => (
        <Panel
          key={message.hash}
          title={`Out message ${i + 1} of ${outMessages.length}`}
          count={messageTitle(message)}
        >
          <MessageView
            message={message}
            other={{ name: 'Received by', hash: endsOf(message.hash)?.in_msg_tx_hash }}
          />
        </Panel>
      ))}
    </>
  );
}

function TraceLink({ id }: { readonly id: string | undefined }) {
  return id === undefined ? null : <a href={hrefOf(tracePage(id))}>Show the whole trace →</a>;
}

function summaryOf(transaction: Transaction) {
  const { account, now, lt, block_ref: block } = transaction;
  const status = (state: string, end: string) => (state === end ? state : `${state} → ${end}`);
  return {
    Result: isFailed(transaction) ? (
      <span>
        <Badge kind="bad">failed</Badge> {failureText(transaction)}
      </span>
    ) : (
      <Badge kind="good">success</Badge>
    ),
    What: kindOf(transaction),
    Account: <Address address={account} isWhole canCopy canBeName={false} />,
    Time: <Time at={now} />,
    'Logical time': lt,
    Block: (
      <a class="hash whole" href={hrefOf(blockPage(block))}>
        {blockName(block)}
      </a>
    ),
    'Masterchain block': <MasterchainLink seqno={transaction.mc_block_seqno} />,
    'Account status': status(transaction.orig_status, transaction.end_status),
    Balance: <BalanceChange transaction={transaction} />,
    Finality: transaction.finality !== 'finalized' && <Badge kind="warn">{transaction.finality}</Badge>,
  };
}

function BalanceChange({ transaction }: TransactionProps) {
  const from = transaction.account_state_before.balance ?? '0';
  const to = transaction.account_state_after.balance ?? '0';
  const change = BigInt(to) - BigInt(from);
  return (
    <span>
      <Ton nano={to} />{' '}
      {change !== 0n && (
        <span class={change > 0n ? 'good' : 'muted'}>
          ({change > 0n && '+'}
          <Ton nano={change} />)
        </span>
      )}
    </span>
  );
}

function failureText({ account, description: { compute_ph: compute, action } }: Transaction): string {
  if (compute?.skipped === true) return `not run: ${skipReasonText(compute.reason ?? '')}`;
  if (compute?.success === false)
    return `exit code ${compute.exit_code}: ${exitCodeText(compute.exit_code ?? 0, interfacesOf(account))}`;
  if (action?.success === false)
    return `action phase, code ${action.result_code}: ${resultCodeText(action.result_code)}`;
  return '';
}

function Actions({ hash }: { readonly hash: string }) {
  const call = useGet('/api/v3/actions', { tx_hash: [hash], limit: MAX_ACTIONS });
  return (
    <Panel title="Actions">
      <Loaded call={call}>
        {({ actions }) =>
          actions.length === 0 ? (
            <Empty>No recognised action has this transaction.</Empty>
          ) : (
            <ActionList actions={actions} isPlain />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Phases({ transaction: { account, description } }: TransactionProps) {
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = description;
  return (
    <ol class="phases">
      {storage !== undefined && (
        <Phase name="Storage" isGood={storage.status_change === 'unchanged'}>
          <Ton nano={storage.storage_fees_collected} /> for storage
          {storage.storage_fees_due !== undefined && (
            <>
              , <Ton nano={storage.storage_fees_due} /> due
            </>
          )}
          {storage.status_change !== 'unchanged' && `, the account is ${storage.status_change}`}
        </Phase>
      )}
      {credit !== undefined && (
        <Phase name="Credit" isGood>
          <Ton nano={credit.credit} /> credited
        </Phase>
      )}
      {compute !== undefined && <ComputePhase phase={compute} account={account} />}
      {action !== undefined && (
        <Phase name="Action" isGood={action.success}>
          code {action.result_code}: {resultCodeText(action.result_code)};{' '}
          {counted(action.tot_actions, 'action')}, {counted(action.msgs_created, 'message')} sent
          {action.skipped_actions > 0 && `, ${action.skipped_actions} skipped`}
        </Phase>
      )}
      {bounce !== undefined && (
        <Phase name="Bounce" isGood={bounce.type === 'ok'}>
          {bounce.type === 'ok' ? 'the message was sent back' : 'not enough TON to send the message back'}
        </Phase>
      )}
    </ol>
  );
}

interface ComputePhaseProps {
  readonly phase: NonNullable<Transaction['description']['compute_ph']>;
  readonly account: string;
}

function ComputePhase({ phase, account }: ComputePhaseProps) {
  if (phase.skipped)
    return (
      <Phase name="Compute" isGood={false}>
        not run: {skipReasonText(phase.reason ?? '')}
      </Phase>
    );
  const code = phase.exit_code ?? 0;
  return (
    <Phase name="Compute" isGood={phase.success === true}>
      exit code {code}: {exitCodeText(code, interfacesOf(account))}
      {phase.exit_arg !== undefined && phase.exit_arg !== null && ` (argument ${phase.exit_arg})`}; gas{' '}
      {Number(phase.gas_used ?? 0).toLocaleString('en')} of{' '}
      {Number(phase.gas_limit ?? 0).toLocaleString('en')}; {(phase.vm_steps ?? 0).toLocaleString('en')} steps
    </Phase>
  );
}

interface PhaseProps {
  readonly name: string;
  readonly isGood: boolean;
  readonly children: ComponentChildren;
}

function Phase({ name, isGood, children }: PhaseProps) {
  return (
    <li>
      <Badge kind={isGood ? 'good' : 'bad'}>{name}</Badge>
      <span>{children}</span>
    </li>
  );
}

function Fees({ transaction }: TransactionProps) {
  const { total_fees: total, out_msgs: outMessages } = transaction;
  const { storage_ph: storage, compute_ph: compute, action } = transaction.description;
  const forward = outMessages.reduce((sum, { fwd_fee: fee }) => sum + BigInt(fee ?? 0), 0n);
  return (
    <Facts
      facts={{
        Total: <Ton nano={total} />,
        Storage: storage && <Ton nano={storage.storage_fees_collected} />,
        Gas: compute?.gas_fees !== undefined && <Ton nano={compute.gas_fees} />,
        Actions: action?.total_action_fees !== undefined && <Ton nano={action.total_action_fees} />,
        'Forwarding, paid by messages': forward !== 0n && <Ton nano={forward} />,
      }}
    />
  );
}
