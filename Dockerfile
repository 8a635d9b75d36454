# The version is that of the npm package `node`, which tests and checkouts use.
#
# Packages are installed in a stage of their own, so that a change of the source does not install them again
# and npm's cache stays out of the image. Left out: development packages (among them the npm package `node`,
# which the base image replaces) and optional ones (the embedded PostgreSQL: a container gets DATABASE_URL).
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its scripts here, and the pages are built below.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# The pages, with the packages that build them.
FROM node:24.21.0-slim AS web
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY web ./web
RUN node node_modules/vite/bin/vite.js build --config web/vite.config.ts --configLoader native

# Node 24 runs the TypeScript sources of the server as they are, so there is nothing to build: the image holds the files
# that the tests ran, and a stack trace names their lines.
FROM node:24.21.0-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8081 \
    DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY migrations ./migrations
COPY src ./src
COPY --from=web /app/dist-web ./dist-web
USER node
VOLUME /data
EXPOSE 8081
# The process handles SIGTERM itself and finishes what runs. In the first second of a start only an init ends it at once
# (docker run --init).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
CMD ["start"]
