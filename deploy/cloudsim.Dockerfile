# The simulated cloud, for docker-compose.demo.yml. The image of the gateway does not have it.
ARG NODE_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/cloudsim/package.json apps/cloudsim/
RUN npm ci --omit=dev --ignore-scripts --workspace=@gateway/cloudsim

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app ./
COPY apps/cloudsim apps/cloudsim
USER node
EXPOSE 8100
STOPSIGNAL SIGTERM
CMD ["node", "apps/cloudsim/src/main.ts"]
