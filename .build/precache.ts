/**
 * Adds the hash of each file to the service worker's precache list, so that the browser refuses a file that differs
 * from the build. A refused file ends the install, and the previous version stays (docs/decisions/updates.md).
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The part of the PWA plugin's options that is used here. */
interface Options {
  workbox: {
    globDirectory?: string
    additionalManifestEntries?: unknown
    manifestTransforms?: unknown
    runtimeCaching?: unknown
  }
}

interface Entry {
  url: string
  size: number
}

/**
 * Returns a function that changes the options of the service worker's build. It runs when all listed files are in `dist`.
 * @param whenUsed names of scripts that the worker caches only when they are first used
 */
export const integrityOfEntries =
  (whenUsed: readonly string[]) =>
  ({ workbox }: Options): void => {
    const { globDirectory: dist } = workbox
    if (dist === undefined) throw new Error('the folder of the built files is not known')
    const named = (entry: Entry) => ({
      ...entry,
      integrity: integrityOf(readFileSync(join(dist, entry.url))),
    })
    // In this option the plugin lists icons and the manifest a second time, without hashes.
    workbox.additionalManifestEntries = []
    workbox.manifestTransforms = [(entries: Entry[]) => ({ manifest: entries.map(named) })]
    const assets = join(dist, 'assets')
    // The folder is missing only if the build has failed.
    const files = existsSync(assets) ? readdirSync(assets) : []
    workbox.runtimeCaching = whenUsed.flatMap((cacheName) =>
      files
        .filter((name) => name.startsWith(`${cacheName}-`) && name.endsWith('.js'))
        .map((name) => ({
          urlPattern: new RegExp(`/assets/${name.replace('.', '\\.')}$`),
          handler: 'CacheFirst',
          options: {
            cacheName,
            fetchOptions: { integrity: integrityOf(readFileSync(join(assets, name))) },
          },
        })),
    )
  }

/** Hash of a file in the form of a request's `integrity`. */
export const integrityOf = (bytes: Uint8Array): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`
