import type { ComponentChildren } from 'preact';
import { Address } from './address.tsx';
import { ChainText } from './chain-text.tsx';
import './decoded-body.css';

type Json = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
const MAX_MEMBERS = 100;
/** Cells that are not decoded are bags of cells in base64. */
const BOC_START = 'te6cc';
/** Names of types, which say what the name of a member says. */
const TYPE = '@type';

/** A decoded body: names and values, parts of it indented. */
export function DecodedBody({ value }: { readonly value: Json }) {
  return <Members value={value} depth={0} />;
}

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
