# The console and the demo worker. Build: docker build -t redrive .  See docs/deploy/deployment.md.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /build
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm run build:standalone && mv dist/console/node_modules /packages

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
LABEL org.opencontainers.image.title="Redrive" \
      org.opencontainers.image.description="Operator console and job broker for Redis" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
# Packages change seldom, the console with every release: a layer each.
COPY --from=build --chown=0:0 /packages ./node_modules
COPY --from=build --chown=0:0 /build/dist/console/ ./
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOST=0.0.0.0 \
    PORT=3000
# compose.yaml keeps its passwords here; a new volume takes over this owner.
RUN install -d -o 65534 -g 65534 -m 0750 /secrets /worker-secrets /metrics-secrets
# Nothing under /app is this user's: run it with a read-only root file system.
USER 65534:65534
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "/app/scripts/health-check.mjs"]
CMD ["node", "/app/scripts/serve.mjs"]
