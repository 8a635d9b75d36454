import type { components } from '../api/v3.d.ts';
import { Address } from './address.tsx';
import { Ton } from './amount.tsx';
import { ChainText } from './chain-text.tsx';
import { DecodedBody } from './decoded-body.tsx';
import { Hash } from './hash.tsx';
import { Badge, Facts } from './panel.tsx';
import { opcodeName, transactionPage } from './transaction-rows.tsx';

type Message = components['schemas']['Message'];

/** Whole bodies are for programs. */
const MAX_BODY_CHARS = 300;

/** A message with its decoded body. */
export function MessageView({ message }: { readonly message: Message }) {
  const { decoded, body } = message.message_content ?? {};
  const comment = commentOf(message);
  const isDecoded = decoded !== null && decoded !== undefined && Object.keys(decoded).length > 0;
  return (
    <Facts
      facts={[
        [
          'From',
          message.source === null ? (
            <span class="muted">outside the chain</span>
          ) : (
            <Address address={message.source} canCopy />
          ),
        ],
        [
          'To',
          message.destination === null ? (
            <span class="muted">outside the chain</span>
          ) : (
            <Address address={message.destination} canCopy />
          ),
        ],
        ['Value', message.value === null ? undefined : <Ton nano={message.value} />],
        ['Operation', <Operation message={message} />],
        ['Comment', comment === undefined ? undefined : <ChainText text={comment} />],
        ['Decoded', isDecoded && comment === undefined ? <DecodedBody value={decoded} /> : undefined],
        ['Forward fee', message.fwd_fee === null ? undefined : <Ton nano={message.fwd_fee} />],
        ['Import fee', message.import_fee === null ? undefined : <Ton nano={message.import_fee} />],
        ['Hash', <Hash value={message.hash} name="message hash" />],
        [
          'Normalized hash',
          message.hash_norm === undefined ? undefined : (
            <Hash value={message.hash_norm} name="normalized hash" />
          ),
        ],
        [
          'State init',
          message.init_state === null ? undefined : (
            <Hash value={message.init_state.hash} name="hash of the state init" />
          ),
        ],
        [
          'Body',
          body === null || body === undefined || isDecoded ? undefined : (
            <code>
              <ChainText text={body} max={MAX_BODY_CHARS} />
            </code>
          ),
        ],
        [
          'Received by',
          message.in_msg_tx_hash === undefined ? undefined : (
            <TransactionLink hash={message.in_msg_tx_hash} />
          ),
        ],
        [
          'Sent by',
          message.out_msg_tx_hash === undefined ? undefined : (
            <TransactionLink hash={message.out_msg_tx_hash} />
          ),
        ],
      ]}
    />
  );
}

function TransactionLink({ hash }: { readonly hash: string }) {
  return <Hash value={hash} page={transactionPage(hash)} name="transaction" canCopy={false} />;
}

function Operation({ message }: { readonly message: Message }) {
  const { opcode } = message;
  const name = opcodeName(message);
  return (
    <>
      {name} {opcode !== null && name !== opcode && <code class="muted">{opcode}</code>}{' '}
      {message.bounced === true && <Badge kind="warn">bounced</Badge>}{' '}
      {message.bounce === true && <Badge>bounceable</Badge>}
    </>
  );
}

/** The comment of a message, if its body is one. */
export function commentOf({ message_content: content }: Message): string | undefined {
  const comment = content?.decoded?.comment;
  return typeof comment === 'string' ? comment : undefined;
}

/** Heading of one of several messages. */
export function messageTitle(message: Message): string {
  return message.destination === null ? 'to outside the chain' : opcodeName(message);
}
