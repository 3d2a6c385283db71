/**
 * What is always loaded together is one chunk (decision 0087): each module that others share, too, would be a file of some
 * hundred bytes, and eighty of them pack badly and each has its own way to the phone. A chunk takes along what its modules
 * need and no chunk before it has.
 *
 *     first ─→ login │ list ─→ days │ network ─→ device ─→ rows
 *
 * `days` draws what was kept of the list, before anything of the database is loaded (decision 0105).
 *
 * Not `main.tsx`: it waits at its top level for what it loads, which must not wait for it.
 */

/** What the first screens have, and what is loaded later has, too. */
const OWN = {
  app: [
    'session-store',
    'value-store',
    'put-aside',
    'crm-clock',
    'other-crms/frame-address',
    'error-log',
    'device-settings',
    'settings',
    'env',
    'device-clock',
    'watch-errors',
    'crms',
    'lazy-figures',
    'update',
  ],
  lib: [
    'crm-scope',
    'kept-json',
    'storage-full',
    'user-timing',
    'without-values',
    'stamp',
    'tokyo-time',
    'working-day',
  ],
  data: ['crm-standings', 'first-queries'],
}
const ICONS = [
  'wifi',
  'cloud-upload',
  'chevron-right',
  'chevron-down',
  'check',
  'circle-check',
  'refresh-cw',
  'clipboard-list',
]

const folders = Object.entries(OWN).map(([folder, names]) => `${folder}/(?:${names.join('|')})`)

const IN_FIRST = new RegExp(
  `/src/(?:${folders.join('|')})\\.ts$|/src/app/(?:boot|start)\\.tsx?$|/node_modules/(?:react|react-dom|scheduler)/|/lucide-react/dist/esm/icons/(?:${ICONS.join('|')})\\.`,
)

const CHUNKS_IN_ORDER: readonly (readonly [name: string, test: RegExp])[] = [
  // each of them is needed for the first screen
  ['routes', /src\/routes\/[^?]*$/],
  ['first', IN_FIRST],
  ['login', /src\/routes\/login\.tsx\?/],
  ['list', /src\/routes\/_app(?:\/request\.index)?\.tsx\?/],
  ['days', /src\/features\/request\/visit-days\.tsx$/],
  ['network', /src\/app\/(?:network|sign-in)\.ts$/],
  ['device', /src\/app\/(?:user-data|keys|tell-user|signed-in)\.ts$/],
  ['rows', /src\/data\/(?:visits|outbox|interests)\.ts$/],
]

/** For `codeSplitting.groups`: those before have the first word. */
export const CHUNKS = CHUNKS_IN_ORDER.map(([name, test], at) => ({ name, test, priority: 100 - at }))

const NAMES = new Set(CHUNKS_IN_ORDER.map(([name]) => name))

/**
 * Chromium compiles these chunks whole, off the page's thread, while they come: each function for itself, at its first call,
 * was a fifth of a cold start (decision 0094). Others take it as a comment.
 */
export const compiledWhole = ({ name }: { name: string }): string =>
  NAMES.has(name) ? '//# allFunctionsCalledOnLoad' : ''
