import type { ComponentChildren } from 'preact';
import { ActionList } from '../actions/action-list.tsx';
import { interfacesOf } from '../api/address-names.ts';
import { getFirst } from '../api/client.ts';
import { useCall, useGet } from '../api/use-call.ts';
import type { Transaction } from '../api/v3.d.ts';
import { hrefOf, type PageProps } from '../router.ts';
import { Address } from '../show/address.tsx';
import { Ton } from '../show/amount.tsx';
import { BlockLink, MasterchainLink } from '../show/block-link.tsx';
import { coinName } from '../show/coin.ts';
import { exitCodeText, resultCodeText, skipReasonText } from '../show/exit-codes.ts';
import { counted, formatNumber } from '../show/figures.ts';
import { Hash, isHash, NoHash } from '../show/hash.tsx';
import { MessageView, messageTitle } from '../show/message.tsx';
import { Badge, Loaded, PageTitle, Panel } from '../show/panel.tsx';
import { Time } from '../show/time.tsx';
import { isFailed, kindOf, tracePage } from '../show/transaction-rows.tsx';
import './transaction.css';

const MAX_ACTIONS = 50;

/** One transaction: its actions, phases, fees and messages. */
export function Page({ path }: PageProps) {
  const hash = path.hash!;
  const call = useCall(
    (abort) => getFirst('/api/v3/transactions', 'transactions', { hash: [hash] }, abort),
    isHash(hash) ? hash : null,
  );
  if (!isHash(hash)) return <NoHash kind="Transaction" text={hash} />;
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
  const traceLink = transaction.trace_id !== undefined && (
    <a href={hrefOf(tracePage(transaction.trace_id))}>Show the whole trace →</a>
  );
  const endsOf = (hash: string) => ends.data?.messages.find((message) => message.hash === hash);
  return (
    <>
      <Panel title="Summary" tools={traceLink} facts={summaryOf(transaction)} />
      <Actions hash={transaction.hash} />
      <div class="columns">
        <Panel title="Phases">
          <ol class="phases">
            {phasesOf(transaction).map(([name, isGood, text]) => (
              <li key={name}>
                <Badge kind={isGood ? 'good' : 'bad'}>{name}</Badge>
                <span>{text}</span>
              </li>
            ))}
          </ol>
        </Panel>
        <Panel title="Fees" facts={feesOf(transaction)} />
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
    Block: <BlockLink block={block} isWhole />,
    'Masterchain block': <MasterchainLink seqno={transaction.mc_block_seqno} />,
    'Account status': status(transaction.orig_status, transaction.end_status),
    Balance: <BalanceChange transaction={transaction} />,
    Finality: transaction.finality !== 'finalized' && <Badge kind="warn">{transaction.finality}</Badge>,
  };
}

function BalanceChange({ transaction }: TransactionProps) {
  const { account_state_before: before, account_state_after: after, orig_status, end_status } = transaction;
  const [from, to] = [balanceOf(before, orig_status), balanceOf(after, end_status)];
  if (to === undefined) return <span class="muted">not known: blocks show states at their end only</span>;
  const change = from === undefined ? 0n : BigInt(to) - BigInt(from);
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

/** Undefined for a state that another transaction of the same block replaced. */
function balanceOf({ balance }: Transaction['account_state_before'], status: string): string | undefined {
  return balance ?? (status === 'nonexist' ? '0' : undefined);
}

function failureText({ account, description: { compute_ph: compute, action } }: Transaction): string {
  if (compute?.skipped === true || compute?.success === false) return computeResult(compute, account);
  return action?.success === false ? `action phase, ${actionResult(action)}` : '';
}

type Description = Transaction['description'];
type ComputePhase = NonNullable<Description['compute_ph']>;

function computeResult(phase: ComputePhase, account: string): string {
  const { skipped, reason = '', exit_code: code = 0 } = phase;
  return skipped
    ? `not run: ${skipReasonText(reason)}`
    : `exit code ${code}: ${exitCodeText(code, interfacesOf(account))}`;
}

function actionResult({ result_code: code }: NonNullable<Description['action']>): string {
  return `code ${code}: ${resultCodeText(code)}`;
}

function Actions({ hash }: { readonly hash: string }) {
  const call = useGet('/api/v3/actions', { tx_hash: [hash], limit: MAX_ACTIONS });
  return (
    <Panel title="Actions">
      <Loaded call={call}>
        {({ actions }) => (
          <ActionList actions={actions} isPlain empty="No recognised action has this transaction." />
        )}
      </Loaded>
    </Panel>
  );
}

type Phase = readonly [name: string, isGood: boolean, text: ComponentChildren];

function phasesOf({ account, description }: Transaction): readonly Phase[] {
  const { storage_ph: storage, credit_ph: credit, compute_ph: compute, action, bounce } = description;
  const phases: Phase[] = [];
  if (storage !== undefined)
    phases.push([
      'Storage',
      storage.status_change === 'unchanged',
      <>
        <Ton nano={storage.storage_fees_collected} /> for storage
        {storage.storage_fees_due !== undefined && (
          <>
            , <Ton nano={storage.storage_fees_due} /> due
          </>
        )}
        {storage.status_change !== 'unchanged' && `, the account is ${storage.status_change}`}
      </>,
    ]);
  if (credit !== undefined)
    phases.push([
      'Credit',
      true,
      <>
        <Ton nano={credit.credit} /> credited
      </>,
    ]);
  if (compute !== undefined) {
    const { exit_arg: argument, vm_steps: steps = 0 } = compute;
    const text = [
      computeResult(compute, account) +
        (argument === undefined || argument === null ? '' : ` (argument ${argument})`),
      ...(compute.skipped ? [] : [gasText(compute), `${formatNumber(steps)} steps`]),
    ];
    phases.push(['Compute', compute.success === true, text.join('; ')]);
  }
  if (action !== undefined) {
    const { tot_actions: all, msgs_created: sent, skipped_actions: skipped } = action;
    const counts = `${counted(all, 'action')}, ${counted(sent, 'message')} sent`;
    const text = `${actionResult(action)}; ${counts}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    phases.push(['Action', action.success, text]);
  }
  if (bounce !== undefined) {
    const isSent = bounce.type === 'ok';
    phases.push([
      'Bounce',
      isSent,
      isSent ? 'the message was sent back' : `not enough ${coinName()} to send the message back`,
    ]);
  }
  return phases;
}

/** What an external message calls has credit instead of a limit, until it accepts the message. */
function gasText({ gas_used: used, gas_limit: limit, gas_credit: credit }: ComputePhase): string {
  const [shown, most, lent] = [used, limit, credit].map((gas) => formatNumber(Number(gas ?? 0)));
  return Number(credit ?? 0) === 0 ? `gas ${shown} of ${most}` : `gas ${shown}, credit ${lent}`;
}

function feesOf({ total_fees: total, in_msg: message, out_msgs: outMessages, description }: Transaction) {
  const { storage_ph: storage, compute_ph: compute, action, bounce } = description;
  const phases = {
    Storage: storage?.storage_fees_collected,
    Gas: compute?.gas_fees,
    Actions: action?.total_action_fees,
    Bounce: bounce?.msg_fees,
  };
  const rest = Object.values(phases).reduce((left, fee) => left - BigInt(fee ?? 0), BigInt(total));
  // No field of an external message says what its import cost: it is what the phases leave of the total.
  const imported = message?.source === null && rest > 0n ? rest : undefined;
  const forward = outMessages.reduce((sum, { fwd_fee: fee }) => sum + BigInt(fee ?? 0), 0n);
  const shown = { Total: total, 'Import of the message': imported, ...phases };
  return {
    ...Object.fromEntries(
      Object.entries(shown).map(([name, nano]) => [name, nano !== undefined && <Ton nano={nano} />]),
    ),
    'Forwarding, paid by messages': forward !== 0n && <Ton nano={forward} />,
  };
}
