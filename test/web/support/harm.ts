import type { Page } from 'playwright-core';

/** Whether something in the page ran that should not have, leads elsewhere, or breaks the page. Images of the proxy are allowed. */
export function harm(page: Page, imageProxy = ''): Promise<unknown> {
  return page.evaluate(`({
    ran: 'harmed' in globalThis,
    elements: [...document.querySelectorAll('main script, main img, main iframe, main object')]
      .filter((element) => element.tagName !== 'IMG' || element.src.split('/', 3).join('/') !== '${imageProxy}').length,
    links: [...document.querySelectorAll('a')]
      .map((link) => new URL(link.getAttribute('href'), document.baseURI).origin)
      .filter((origin) => origin !== location.origin),
    tricks: /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f]/.test(document.body.innerText),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  })`);
}

/** What `harm` finds in a page that is not harmed. */
export const NO_HARM = { ran: false, elements: 0, links: [], tricks: false, isTooWide: false };
