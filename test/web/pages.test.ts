import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { missingBrowser } from '../support/browser.ts';
import { accountPage } from './cases/account-page.ts';
import { chainPages } from './cases/chain-pages.ts';
import { docsPages } from './cases/docs-pages.ts';
import { frontPage } from './cases/front-page.ts';
import { hostileText } from './cases/hostile-text.ts';
import { hostileTokens } from './cases/hostile-tokens.ts';
import { localKey } from './cases/local-key.ts';
import { localnetPanel } from './cases/localnet-panel.ts';
import { operatorPages } from './cases/operator-pages.ts';
import { searchBox } from './cases/search-box.ts';
import { tokenPages } from './cases/token-pages.ts';
import { startWebSite, TEST_MS, type WebSite } from './support/web-site.ts';

// One file, so that all cases share a server and a browser, which take longer to start than the cases to run.
describe.skipIf(missingBrowser !== '')(`pages in a browser${missingBrowser}`, { timeout: TEST_MS }, () => {
  let site: WebSite;
  beforeAll(async () => {
    site = await startWebSite();
  }, TEST_MS);
  afterEach(() => site.closePages(), TEST_MS);
  afterAll(() => site?.close(), TEST_MS);

  describe('front page', () => frontPage(() => site));
  describe('search box', () => searchBox(() => site));
  describe('pages of the chain', () => chainPages(() => site));
  describe('hostile text', () => hostileText(() => site));
  describe('pages of the operator', () => operatorPages(() => site));
  describe('key of the local chain', () => localKey(() => site));
  describe('account page', () => accountPage(() => site));
  describe('pages of tokens', () => tokenPages(() => site));
  describe('hostile tokens', () => hostileTokens(() => site));
  describe('docs pages', () => docsPages(() => site));
  // The last one: it takes the chain back.
  describe('local chain', () => localnetPanel(() => site));
});
