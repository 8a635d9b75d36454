import type { Message } from '../api/v3.d.ts';
import { Address } from './address.tsx';
import { Ton } from './amount.tsx';
import { ChainText } from './chain-text.tsx';
import { DecodedBody } from './decoded-body.tsx';
import { Hash } from './hash.tsx';
import { Badge, Facts } from './panel.tsx';
import { opcodeName, transactionPage } from './transaction-rows.tsx';

/** Whole bodies are for programs. */
const MAX_BODY_CHARS = 300;

interface MessageViewProps {
  readonly message: Message;
  /** The transaction at the other end of the message, if the index has it. */
  readonly other?: { readonly name: 'Sent by' | 'Received by'; readonly hash: string | undefined };
}

/** A message with its decoded body. */
export function MessageView({ message, other }: MessageViewProps) {
  const { decoded, body } = message.message_content ?? {};
  const comment = commentOf(message);
  const isDecoded = decoded !== null && decoded !== undefined && Object.keys(decoded).length > 0;
  return (
    <Facts
      facts={{
        From: <End address={message.source} />,
        To: <End address={message.destination} />,
        ...(other && {
          [other.name]: other.hash && (
            <Hash value={other.hash} page={transactionPage(other.hash)} name="transaction" />
          ),
        }),
        Value: message.value && <Ton nano={message.value} />,
        Operation: <Operation message={message} />,
        Comment: comment !== undefined && <ChainText text={comment} />,
        Decoded: isDecoded && comment === undefined && <DecodedBody value={decoded} />,
        'Forward fee': message.fwd_fee && <Ton nano={message.fwd_fee} />,
        'Import fee': message.import_fee && <Ton nano={message.import_fee} />,
        Hash: <Hash value={message.hash} name="message hash" />,
        'Normalized hash': message.hash_norm && <Hash value={message.hash_norm} name="normalized hash" />,
        'State init': message.init_state && (
          <Hash value={message.init_state.hash} name="hash of the state init" />
        ),
        Body: body !== null && body !== undefined && !isDecoded && (
          <code>
            <ChainText text={body} max={MAX_BODY_CHARS} />
          </code>
        ),
      }}
    />
  );
}

function End({ address }: { readonly address: string | null }) {
  if (address === null) return <span class="muted">outside the chain</span>;
  return <Address address={address} canCopy />;
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
