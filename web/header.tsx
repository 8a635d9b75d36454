import { useEffect, useRef, useState } from 'preact/hooks';
import { apiKey } from './api/client.ts';
import { hrefOf, navigate, place } from './router.ts';
import { serverInfo } from './server-info.ts';
import { Field } from './show/field.tsx';
import { storedText } from './stored.ts';

export function Header() {
  return (
    <header class="header">
      <a class="brand" href={hrefOf('/')} title="Front page">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M8 25V14a8 8 0 0 1 16 0v11M16 25V11" />
        </svg>
        <span>tongate</span>
      </a>
      <span class="network">{serverInfo.value.network}</span>
      <Navigation />
      <SearchBox />
      <KeyBox />
      <button
        type="button"
        class="icon"
        title="Light or dark"
        aria-label="Switch between light and dark"
        onClick={switchTheme}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2a6 6 0 1 0 0 12z" class="filled" />
          <circle cx="8" cy="8" r="6" />
        </svg>
      </button>
    </header>
  );
}

function Navigation() {
  const links = [
    ['/tokens', 'Tokens'],
    ['/validators', 'Validators'],
    ['/config', 'Config'],
    ...(serverInfo.value.has_local_chain ? [['/localnet/panel', 'Local chain']] : []),
  ] as const;
  const current = place.value?.route.path;
  return (
    <nav class="navigation links" aria-label="Pages">
      {links.map(([page, name]) => (
        <a key={page} href={hrefOf(page!)} aria-current={page === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        (event.target as Element).closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const search = (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim();
    if (text !== '') navigate(`/search?q=${encodeURIComponent(text)}`);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is younger than some browsers
    <form class="search" role="search" onSubmit={search}>
      <input
        ref={input}
        type="search"
        name="q"
        placeholder="Address, domain, hash, block"
        aria-label="Search: address, domain, hash of a transaction, message or block, block id or seqno"
        defaultValue={place.value?.query.get('q') ?? ''}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={2000}
      />
      <span class="hint" aria-hidden="true">
        /
      </span>
    </form>
  );
}

function KeyBox() {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const save = (event: Event) => {
    event.preventDefault();
    apiKey.value = input.current!.value.trim();
    setOpen(false);
  };
  return (
    <div class="key-box">
      <button
        type="button"
        aria-expanded={isOpen}
        class={apiKey.value === '' ? 'quiet' : 'quiet on'}
        onClick={() => setOpen(!isOpen)}
      >
        API key
      </button>
      {isOpen && (
        <form onSubmit={save} onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
          <Field
            label="Your API key"
            inputRef={input}
            type="password"
            name="api-key"
            defaultValue={apiKey.value}
          />
          <p class="muted">
            Sent with the requests of these pages and kept in this browser only. Without a key the rate is
            low.
          </p>
          <button type="submit">Save</button>
        </form>
      )}
    </div>
  );
}

/** `light`, `dark`, or empty for what the system prefers. */
const chosen = storedText('theme');

chosen.subscribe((theme) => {
  if (theme === '') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
});

function switchTheme(): void {
  const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  chosen.value = (chosen.value || preferred) === 'dark' ? 'light' : 'dark';
}
