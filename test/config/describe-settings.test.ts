import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeSettings } from '../../src/config/describe-settings.ts';
import { readSettings } from '../../src/config/read-settings.ts';

describe('describeSettings', () => {
  it('hides credentials and leaves unset settings out', () => {
    const described = describeSettings(
      readSettings({
        DATABASE_URL: 'postgres://ton:pw@db/ton?sslpassword=pw&sslmode=require',
        DATABASE_REPLICA_URLS: 'postgres://token@replica/ton,postgres://replica/ton',
        TON_CONFIG: 'https://example.org/config?token=pw',
        LITE_GROUPS: 'plus=/etc/plus.json,pro=https://u:pw@example.org/config',
        TRUST_PROXY: '1',
        CORS: 'off',
        IMGPROXY_KEY: 'c0ffee',
        IMGPROXY_SALT: '00',
      }),
    );
    expect(described).toMatchObject({
      DATABASE_URL: 'postgres://ton:***@db/ton?sslpassword=***&sslmode=require',
      DATABASE_REPLICA_URLS: ['postgres://***@replica/ton', 'postgres://replica/ton'],
      TON_CONFIG: 'https://example.org/config?token=***',
      LITE_GROUPS: { plus: '/etc/plus.json', pro: 'https://u:***@example.org/config' },
      TRUST_PROXY: 1,
      CORS: 'off',
      IMGPROXY_KEY: '***',
      IMGPROXY_SALT: '***',
      LOG_LEVEL: 'info',
    });
    expect(described).not.toHaveProperty('REDIS_URL');
  });

  it('never shows a password', () => {
    const password = fc.string({ minLength: 1 }).map((text) => `pw<${text}>wp`);
    fc.assert(
      fc.property(password, (text) => {
        const encoded = encodeURIComponent(text);
        const url = `postgres://user:${encoded}@host/db?password=${encoded}`;
        const shown = JSON.stringify(describeSettings(readSettings({ DATABASE_URL: url })));
        expect(shown).not.toContain(encoded);
      }),
    );
  });
});
