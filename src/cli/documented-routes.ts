import { adminDocument, createAdminRoutes } from '../admin/admin-routes.ts';
import { createDashboardRoutes } from '../admin/dashboard-routes.ts';
import { accountDocument, createMeRoutes } from '../admin/me-routes.ts';
import type { DocumentOptions, Plugins } from '../http/openapi.ts';
import { createStreamingInterface, streamingDocument } from '../streaming/interface.ts';
import { createWebhookRoutes } from '../webhooks/routes.ts';

/** The routes are added to a document, and never called. */
const NO_SERVICES = {} as never;

interface DocumentedRoutes {
  readonly options: DocumentOptions;
  readonly routes: () => Plugins;
}

/** Documents of routes whose docs page is not the root of their interface, by the prefix of that page. */
export const documentedRoutes = {
  '/api/streaming/v2': {
    options: streamingDocument,
    routes: () => ({ '/api/streaming': createStreamingInterface(NO_SERVICES) }),
  },
  '/api/me': {
    options: accountDocument,
    routes: () => ({
      '/api/me': createMeRoutes(NO_SERVICES),
      '/api/webhooks': createWebhookRoutes(NO_SERVICES),
    }),
  },
  '/api/admin': {
    options: adminDocument,
    routes: () => ({
      '/api/admin': createAdminRoutes(NO_SERVICES, NO_SERVICES),
      '/api/dashboard': createDashboardRoutes(NO_SERVICES, NO_SERVICES),
    }),
  },
} satisfies Record<string, DocumentedRoutes>;
