/**
 * The worker takes nothing but what was built: each entry of its list carries the hash of its file, and the browser itself
 * refuses an answer that has another one. A refused entry ends the install, and the version before it stays
 * (docs/decisions/updates.md).
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Options {
  /** The folder that is built, and what the list is made from. */
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
 * Set into the options of the service worker's build, right before it. All that is listed is a file of `dist`.
 * @param whenUsed the scripts that the worker caches when they are first used, each under its own name
 */
export const integrityOfEntries =
  (whenUsed: readonly string[]) =>
  ({ workbox }: Options): void => {
    const { globDirectory: dist } = workbox
    if (dist === undefined) throw new Error('where the built files lie is not known')
    const named = (entry: Entry) => ({
      ...entry,
      integrity: integrityOf(readFileSync(join(dist, entry.url))),
    })
    // the plugin's own list names icons and manifest again, without their hashes
    workbox.additionalManifestEntries = []
    workbox.manifestTransforms = [(entries: Entry[]) => ({ manifest: entries.map(named) })]
    const assets = join(dist, 'assets')
    // Without the folder the build has failed already.
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

/** As in the `integrity` of a request. */
export const integrityOf = (bytes: Uint8Array): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`
