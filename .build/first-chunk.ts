/**
 * What the first screens have and what is loaded later has, too, is one chunk: each apart would be a file of some hundred
 * bytes, and thirty of them pack badly.
 */
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

/** Of a module's path. */
export const IN_FIRST_CHUNK = new RegExp(
  `/src/(?:${folders.join('|')})\\.ts$|/lucide-react/dist/esm/icons/(?:${ICONS.join('|')})\\.`,
)
