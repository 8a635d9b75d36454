import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { pageCalls, waitSeconds } from './api/client.ts';
import { Header } from './header.tsx';
import { hrefOf, type PageProps, place, visit } from './router.ts';
import { serverInfo } from './server-info.ts';
import { ApiCalls } from './show/api-calls.tsx';
import { Loading } from './show/panel.tsx';

/** The loaded page of the current address. */
interface Shown {
  readonly Page: ComponentType<PageProps>;
  readonly props: PageProps;
  /** Another key mounts the page anew. */
  readonly key: string;
}

const shown = signal<Shown | 'loading' | 'unknown' | 'broken'>('loading');

/** Loads the page of the current address, now and after every navigation. Needs the routes. */
export function followAddress(): void {
  effect(() => {
    const at = place.value;
    const number = visit.value;
    pageCalls.value = [];
    document.title = `tongate on ${serverInfo.peek().network}`;
    if (at === null) {
      shown.value = 'unknown';
      return;
    }
    at.route.load().then(
      ({ Page }) => {
        if (visit.peek() === number)
          shown.value = { Page, props: { path: at.path, query: at.query }, key: `${number} ${at.url}` };
      },
      () => {
        if (visit.peek() === number) shown.value = 'broken';
      },
    );
  });
}

/** Everything that is in the window. */
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
      <main ref={main} tabIndex={-1}>
        <Content />
        <ApiCalls />
      </main>
      <Footer />
    </>
  );
}

function Content() {
  const current = shown.value;
  if (current === 'loading') return <Loading />;
  if (current === 'unknown') return <NoPage text="There is no such page." />;
  if (current === 'broken')
    return <NoPage text="The page could not be loaded. If the server was updated, load the page again." />;
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
  const { version, network, has_local_chain: hasLocalChain } = serverInfo.value;
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
        {hasLocalChain && <a href={hrefOf('/localnet/')}>Localnet API</a>}
        <a href={hrefOf('/status')}>Status</a>
      </nav>
    </footer>
  );
}
