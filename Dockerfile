# Node 22, not 24: better-sqlite3 built from source against the headers of Node 24.19 to 24.21 aborts under garbage
# collection. The downloaded binary works, and nothing else can be installed here: the slim image has no
# compiler, so an installation from source would fail instead. An exact version, so that builds of the same sources are
# the same; docs/install/container.md shows how to pin it by digest.
ARG NODE_IMAGE=node:22.23.3-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Caches downloads between builds, including better-sqlite3's binary.
RUN --mount=type=cache,target=/root/.npm npm ci
COPY vite.config.ts tsconfig.base.json ./
COPY public ./public
COPY shared ./shared
COPY server ./server
COPY src ./src
COPY docs/rest.md ./docs/
# The build and the few packages that are not bundled into it: a ninth of the size of node_modules.
RUN node server/launch.mjs pack /app

FROM ${NODE_IMAGE}
# glibc returns the memory of large images only with these limits, in bytes.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=file:/data/rangoli.db \
    UPLOADS_DIR=/data/uploads
# All data: database, images, and the secret that signs sessions. A new volume inherits this owner.
RUN mkdir /data && chown node:node /data
COPY --from=build /app /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
# By Node, as the image has no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node without npm or a shell in between, so that it receives signals.
ENTRYPOINT ["node", "/app/server/main.js"]
CMD ["serve"]
# Last, so that another version or commit rebuilds these labels only.
ARG NODE_IMAGE
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Rangoli" \
      org.opencontainers.image.description="Self-hosted text-to-image web app with a community gallery" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${NODE_IMAGE}"
