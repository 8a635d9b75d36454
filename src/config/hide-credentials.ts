const SECRET_PARAMETER = /([?&][^=&#]*(?:pass|secret|token|key|auth|sig|cred)[^=&#]*=)[^&#]*/gi;

/**
 * Replaces what a URL carries as a credential by `***`: the password, a user without a password (it may be
 * a token), and query parameters named like a secret. Works on text, so that a URL nobody can parse is safe too.
 */
export function hideCredentials(text: string): string {
  return text
    .replace(/:\/\/(.*)@/s, (_, credentials: string) => {
      const colon = credentials.indexOf(':');
      return colon > 0 ? `://${credentials.slice(0, colon)}:***@` : '://***@';
    })
    .replace(SECRET_PARAMETER, '$1***');
}
