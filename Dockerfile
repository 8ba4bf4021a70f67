# Node 22, not 24: better-sqlite3 built from source against the headers of Node 24.19 to 24.21 aborts under garbage
# collection. Its downloaded build is sound, and what is downloaded is all that can be had here: the slim image has no
# compiler, so an installation that wanted to build from source would fail instead.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY vite.config.ts tsconfig.base.json ./
COPY public ./public
COPY shared ./shared
COPY server ./server
COPY src ./src
# The build, and the few packages that are not bundled into it: a ninth of what npm would leave.
RUN node server/launch.mjs pack /app

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=file:/data/rangoli.db \
    UPLOADS_DIR=/data/uploads
# Everything that is kept: database, pictures, and the secret that signs sessions. A new volume takes its owner over.
RUN mkdir /data && chown node:node /data
COPY --from=build /app /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
# Node itself asks, as the image has no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node alone, without npm or a shell in between: signals reach it.
ENTRYPOINT ["node", "/app/server/main.js"]
CMD ["serve"]
