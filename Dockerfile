# One image for every role. `npm run up` is the first way to run Opener; this is for those who want containers.
# Read line by line against what `npm run up` does, but never built or run: no container engine was at hand. Say what fails.

FROM node:24.21.0-slim AS build
WORKDIR /app
# What the packages need alone, so that a change of the sources installs nothing anew.
COPY package.json package-lock.json ./
RUN PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --include=dev --no-audit --no-fund
COPY . .
# Needs no secret: what a start brings along wins over what the build was made with.
RUN node scripts/up/image.ts && rm -rf .next/cache node_modules

FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24.21.0-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /app ./
COPY --from=packages /app/node_modules ./node_modules
# The account that the image of Node brings; it writes here and nowhere else.
RUN mkdir -p /data /files .next/cache && chown -R node:node /data /files .next/cache .next/opener-build lib/db/generated
USER node
VOLUME ["/data", "/files"]
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/api/v1/health').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
# Not npm: the supervisor gets SIGTERM itself. It needs up to a minute to stop (stop_grace_period).
CMD ["node", "scripts/up.ts", "-v"]
