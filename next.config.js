import { PHASE_PRODUCTION_BUILD } from 'next/constants.js';
import { BASE_PATH_PLACEHOLDER } from './scripts/lib/base-path.mjs';

/** Nobody is told anything: Next reads this before it would send its usage statistics. */
process.env.NEXT_TELEMETRY_DISABLED = '1';

/** The path is known when the console starts; `npm run dev` serves the root only. */
const belowAnyPath = { basePath: BASE_PATH_PLACEHOLDER, env: { REDRIVE_BASE_PATH: BASE_PATH_PLACEHOLDER } };

/** @param {string} phase @returns {import('next').NextConfig} */
export default (phase) => ({
  ...(phase === PHASE_PRODUCTION_BUILD ? belowAnyPath : {}),
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run typecheck` checks the whole project, tests included, and `npm test` runs it first. A build need not do it again.
  typescript: { ignoreBuildErrors: true },
  // They find files of their own at run time, so they stay in node_modules instead of in a bundle.
  serverExternalPackages: ['ioredis', 'pino', 'prom-client'],
  // No picture here needs a resizing service, and that service is one more thing to attack.
  images: { unoptimized: true },
  // The memory of charts that stay open; see the file.
  turbopack: { resolveAlias: { reselect: './scripts/lib/bounded-selectors.mjs' } },
  experimental: {
    // Stack traces in the log name functions as in the source, and minifying the server took a third of a build's time.
    turbopackMinify: { server: false, client: true },
    // Most builds are the first in their folder, and the cache took longer to write (200 MB) than to do without.
    turbopackFileSystemCacheForBuild: false,
    // A page's script in few large files is a tenth smaller than in many small ones.
    turbopackChunking: {
      firstPageLoadPriority: 1,
      minChunkSize: 400_000,
      requestCost: 2_000_000,
      maxMergeChunkSize: 4_000_000,
    },
  },
});
