import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { apiKey, type MadeCall, pageCalls, waitSeconds } from './api/client.ts';
import { Header } from './header.tsx';
import { hrefOf, type PageProps, place, ROOT, visit } from './router.ts';
import { serverInfo } from './server-info.ts';
import { CopyButton } from './show/hash.tsx';
import { Loading } from './show/panel.tsx';

interface Shown {
  readonly Page: ComponentType<PageProps>;
  readonly props: PageProps;
  /** Another key mounts the page anew. */
  readonly key: string;
}

/** The current page, or why there is none; null while it is loaded. */
const shown = signal<Shown | string | null>(null);

/** Loads the page of the current address, now and after every navigation. Needs the routes. */
export function followAddress(): void {
  effect(() => {
    const at = place.value;
    const number = visit.value;
    pageCalls.value = [];
    document.title = `tongate on ${serverInfo.peek().network}`;
    if (at === null) {
      shown.value = 'There is no such page.';
      return;
    }
    const { path, query } = at;
    at.route
      .load()
      .then(({ Page }): Shown => ({ Page, props: { path, query }, key: `${number} ${at.url}` }))
      .catch(() => 'The page could not be loaded. If the server was updated, load the page again.')
      .then((page) => {
        if (visit.peek() === number) shown.value = page;
      });
  });
}

export function App() {
  const main = useRef<HTMLElement>(null);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <>
      <a class="skip" href={hrefOf('/')} onClick={skip}>
        Skip to content
      </a>
      <Header />
      {waitSeconds.value > 0 && (
        <p class="notice" role="status">
          The rate limit is used up; the page goes on in {waitSeconds.value} s. An API key allows more
          requests.
        </p>
      )}
      <KeyNotice />
      <main ref={main} tabIndex={-1}>
        <Content />
        <ApiCalls />
      </main>
      <Footer />
    </>
  );
}

/** Where the key of a local chain is, while its pages are slow for the want of it. */
function KeyNotice() {
  const { local_key_file: file, anonymous_rps: rate } = serverInfo.value;
  if (file === null || rate === null || apiKey.value !== '') return null;
  return (
    <p class="notice" role="note">
      Without a key these pages are slow: open the link with <code>#key=</code> that the start of the server
      printed, or enter the key that is in <code>{file}</code> above.
    </p>
  );
}

function Content() {
  const current = shown.value;
  if (current === null) return <Loading />;
  if (typeof current === 'string') return <NoPage text={current} />;
  return <Guarded key={current.key} Page={current.Page} props={current.props} />;
}

/** Shows a page; an error in it must not take the header with it. */
function Guarded({ Page, props }: Omit<Shown, 'key'>) {
  const [error] = useErrorBoundary();
  const view = useRef<HTMLDivElement>(null);
  // Screen readers hear that there is another page.
  useEffect(() => {
    if (visit.peek() > 0) view.current?.querySelector<HTMLElement>('h1')?.focus();
  }, []);
  useEffect(() => followHeading(view.current), []);
  if (error !== undefined)
    return <NoPage text="This page cannot be shown: the server's answer was not understood." />;
  return (
    <div ref={view} class="page">
      <Page {...props} />
    </div>
  );
}

/** Names the window after the heading of a page, which may learn its name later. */
function followHeading(view: HTMLElement | null): (() => void) | undefined {
  if (view === null) return undefined;
  const site = `tongate on ${serverInfo.peek().network}`;
  const name = () => {
    const heading = view.querySelector('h1')?.textContent?.trim() ?? '';
    document.title = heading === '' || heading === site ? site : `${heading} · ${site}`;
  };
  const observer = new MutationObserver(name);
  observer.observe(view, { childList: true, characterData: true, subtree: true });
  name();
  return () => observer.disconnect();
}

function NoPage({ text }: { readonly text: string }) {
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      <a href={hrefOf('/')}>Front page</a>
    </div>
  );
}

function Footer() {
  const { version, network, has_local_chain: hasLocalChain, has_streaming: hasStreaming } = serverInfo.value;
  return (
    <footer class="footer">
      <span>
        tongate {version} on <strong>{network}</strong>
      </span>
      <nav class="links" aria-label="More pages">
        <a href={hrefOf('/dashboard')}>Dashboard</a>
        <a href={hrefOf('/admin')}>Administration</a>
        <a href={hrefOf('/api/v2/')}>API v2</a>
        <a href={hrefOf('/api/v3/')}>API v3</a>
        <a href={hrefOf('/api/emulate/')}>Emulation</a>
        {hasStreaming && <a href={hrefOf('/api/streaming/v2/')}>Streaming</a>}
        <a href={hrefOf('/api/me/')}>Webhooks</a>
        {hasLocalChain && <a href={hrefOf('/localnet/')}>Localnet API</a>}
        <a href={hrefOf('/status')}>Status</a>
      </nav>
    </footer>
  );
}

/** The requests behind the current page. */
function ApiCalls() {
  const calls = pageCalls.value;
  if (calls.length === 0) return null;
  return (
    <details class="api-calls">
      <summary>
        {calls.length === 1 ? 'The API call' : `The ${calls.length} API calls`} behind this page
      </summary>
      <ul>
        {calls.map((call) => (
          <li key={`${call.method} ${call.url} ${call.body ?? ''}`}>
            <CopyButton text={curlOf(call)} label="Copy as curl" />
            <code>
              <b>{call.method}</b> {call.url}
              {call.body !== undefined && <span class="muted"> {call.body.slice(0, 300)}</span>}
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A command for a shell, without the key itself. */
function curlOf({ method, url, body, isAdmin }: MadeCall): string {
  const parts = ['curl', quoted(location.origin + ROOT + url.slice(1))];
  if (isAdmin) parts.push('-H "X-Admin-Key: $TONGATE_ADMIN_KEY"');
  else if (apiKey.value !== '') parts.push('-H "X-API-Key: $TONGATE_API_KEY"');
  if (method === 'DELETE') parts.push('-X', method);
  if (method === 'POST')
    parts.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body ?? '{}'));
  return parts.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
