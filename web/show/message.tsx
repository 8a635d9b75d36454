import type { ComponentChildren } from 'preact';
import type { Message } from '../api/v3.d.ts';
import { Address } from './address.tsx';
import { formatUnits, Ton } from './amount.tsx';
import { ChainText } from './chain-text.tsx';
import { Hash } from './hash.tsx';
import { Badge, Facts } from './panel.tsx';
import { opcodeName, transactionPage } from './transaction-rows.tsx';
import './message.css';

/** Whole bodies are for programs. */
const MAX_BODY_CHARS = 300;

interface MessageViewProps {
  readonly message: Message;
  /** The transaction at the other end of the message, if the index has it. */
  readonly other?: { readonly name: 'Sent by' | 'Received by'; readonly hash: string | undefined };
}

export function MessageView({ message, other }: MessageViewProps) {
  const { decoded, body } = message.message_content ?? {};
  const comment = typeof decoded?.comment === 'string' ? decoded.comment : undefined;
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
        Decoded: isDecoded && comment === undefined && <Members value={decoded} depth={0} />,
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

/** Heading of one of several messages. */
export function messageTitle(message: Message): string {
  return message.destination === null ? 'to outside the chain' : opcodeName(message);
}

type Json = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
const MAX_MEMBERS = 100;
/** Cells that are not decoded are bags of cells in base64. */
const BOC_START = 'te6cc';
/** Names of types, which say what the name of a member says. */
const TYPE = '@type';

/** A decoded body: names and values, parts of it indented. */
function Members({ value, depth }: { readonly value: Json; readonly depth: number }) {
  const members = Object.entries(value).filter(([name]) => name !== TYPE);
  if (members.length === 0)
    return <span class="muted">{(typeName(value) ?? 'empty').replaceAll('_', ' ')}</span>;
  return (
    <ul class="decoded">
      {members.slice(0, MAX_MEMBERS).map(([name, member]) => (
        <li key={name}>
          <span class="muted">
            <ChainText text={name.replaceAll('_', ' ')} isInline />
          </span>{' '}
          {shownValue(member, depth + 1)}
        </li>
      ))}
      {members.length > MAX_MEMBERS && <li class="muted">{members.length - MAX_MEMBERS} more</li>}
    </ul>
  );
}

function shownValue(value: unknown, depth: number): ComponentChildren {
  if (value === null || value === undefined) return <span class="muted">none</span>;
  if (typeof value === 'string' && value.startsWith(BOC_START))
    return (
      <span class="hash whole">
        <ChainText text={value} />
      </span>
    );
  if (typeof value !== 'object') return <ChainText text={String(value)} />;
  const object = value as Json;
  const type = typeName(object);
  if (type === 'addr_std') return <Address address={`${object.workchain_id}:${object.address}`} />;
  if (type === 'addr_none' || type?.startsWith('nothing')) return <span class="muted">none</span>;
  const members = Object.entries(object).filter(([name]) => name !== TYPE);
  if (type === 'var_uint' && /^\d+$/.test(String(object.value))) return formatUnits(String(object.value), 0);
  // Numbers with their length, and wrappers around one value.
  if ('value' in object && members.every(([name]) => name === 'value' || name === 'len'))
    return shownValue(object.value, depth);
  if (depth > MAX_DEPTH) return <ChainText text={JSON.stringify(value)} />;
  return <Members value={object} depth={depth} />;
}

function typeName(value: Json): string | undefined {
  const type = value[TYPE];
  return typeof type === 'string' ? type : undefined;
}
