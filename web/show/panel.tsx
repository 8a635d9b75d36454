import type { ComponentChildren } from 'preact';
import type { CallState } from '../api/use-call.ts';

/** The colour of a badge, which says how it went. */
export type Tone = 'plain' | 'good' | 'bad' | 'warn';

interface Parent {
  readonly children: ComponentChildren;
}

interface PanelProps extends Partial<Parent> {
  readonly title: string;
  /** How many there are, beside the title. */
  readonly count?: number | string | undefined;
  /** Buttons and the like at the right of the title. */
  readonly tools?: ComponentChildren;
  readonly facts?: FactRecord;
}

export function Panel({ title, count, tools, facts, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </h2>
        {tools}
      </header>
      {facts !== undefined && <Facts facts={facts} />}
      {children}
    </section>
  );
}

/** The title of a page: what it is, and its name. */
export function PageTitle({ kind, children }: Partial<Parent> & { readonly kind: string }) {
  return (
    <h1 class="page-title" tabIndex={-1}>
      <span class="kind">{kind}</span> {children}
    </h1>
  );
}

export type FactRecord = Readonly<Record<string, ComponentChildren>>;

interface FactsProps {
  /** `figures` shows a few important ones side by side in large type. */
  readonly kind?: 'facts' | 'figures';
  readonly facts: FactRecord;
  /** Further ones, whose names are not ours: they may repeat. */
  readonly more?: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names and values, one pair per line; pairs without a value are left out. */
export function Facts({ kind = 'facts', facts, more = [] }: FactsProps) {
  return (
    <dl class={kind}>
      {[...Object.entries(facts), ...more]
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface ScrollRegionProps extends Parent {
  /** Its subject, for screen readers. */
  readonly name: string;
  readonly kind?: string | undefined;
}

/** Something wide that scrolls by itself, so that the page does not; reachable by keyboard. */
export function ScrollRegion({ name, kind = '', children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a pointer could scroll
    <section class={`scroll ${kind}`} aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}

/** Stands where a list is empty. */
export function Empty({ children }: Parent) {
  return <p class="empty">{children}</p>;
}

/** Stands where there is not what a page or a part of it is about. */
export function NotFound({ title = 'Not found', children }: Parent & { readonly title?: string }) {
  return (
    <Panel title={title}>
      <Empty>{children}</Empty>
    </Panel>
  );
}

export function Badge({ kind = 'plain', children }: Parent & { readonly kind?: Tone }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

interface LoadedProps<Answer> {
  readonly call: CallState<Answer>;
  /** Shown where the answer is null: the index does not have it. */
  readonly notFound?: ComponentChildren;
  readonly children: (data: NonNullable<Answer>) => ComponentChildren;
}

/** The answer of a call, or that it is under way, or why it failed. */
export function Loaded<Answer>({ call, notFound, children }: LoadedProps<Answer>) {
  if (call.data === null) return <NotFound>{notFound}</NotFound>;
  if (call.data !== undefined) return <>{children(call.data)}</>;
  if (call.error === undefined) return <Loading />;
  return (
    <div class="problem" role="alert">
      <p>{PROBLEMS[call.error.status] ?? call.error.message}</p>
      <button type="button" onClick={call.reload}>
        Try again
      </button>
    </div>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** By status; others are in the words of the server. */
const PROBLEMS: Readonly<Record<number, string>> = {
  401: 'The API key is not valid. Enter another one, or remove it.',
  429: 'Too many requests for now. An API key allows more; enter one at the top.',
};
