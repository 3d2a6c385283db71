/**
 * Checks the operator's values (`OWN`) of a production build. A build without any value serves every environment, and
 * each environment's `config.json` has the values (decisions/config). A build with only some values, or with values of
 * the demo, fails, because nobody could use it. `DEMO_VALUES=1` allows the demo's values, for tests.
 */
import { createPublicKey } from 'node:crypto'
import { loadEnv, type Plugin } from 'vite'

/** Variables that each operator must set. All others have a default in .env.production. */
const OWN = [
  'VITE_API_ENDPOINT',
  'VITE_CRM_ENDPOINT',
  'VITE_SECURITY_ENDPOINT',
  'VITE_SECURITY_KEY',
  'VITE_FILE_STORE_ENDPOINT',
  'VITE_FILE_STORE_ERROR_LOG_FOLDER',
] as const

const DEMO_KEY = 'demo-key'

/**
 * Returns a line for each wrong value of a production build.
 * @param env Vite's environment, from files and the process
 */
export function problemsOf(env: Record<string, unknown>): string[] {
  const unset = OWN.filter((name) => !env[name])
  const missing = unset.length === OWN.length ? [] : unset.map((name) => `${name} がありません`)
  const recovery = recoveryProblemOf(env['VITE_RECOVERY_PUBLIC_KEY'])
  const isDemo = env['VITE_SECURITY_KEY'] === DEMO_KEY
  return [...missing, ...recovery, ...(isDemo ? [`VITE_SECURITY_KEY がデモの鍵（${DEMO_KEY}）です`] : [])]
}

/** Checks the recovery key as `recoveryKeyOf` of the app does. The key is optional. */
function recoveryProblemOf(text: unknown): string[] {
  if (typeof text !== 'string' || text === '') return []
  try {
    const spki = Buffer.from(text.replace(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, ''), 'base64')
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: spki,
      format: 'der',
      type: 'spki',
    })
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    if (asymmetricKeyType === 'rsa' && bits >= 3_072 && bits <= 8_192) return []
  } catch {
    // A key that cannot be read is reported below, like a key of the wrong kind or size.
  }
  return ['VITE_RECOVERY_PUBLIC_KEY が3072〜8192ビットのRSA公開鍵（SPKIのbase64）ではありません']
}

export function ownValues(): Plugin {
  const wantsDemo = process.env['DEMO_VALUES'] === '1'
  return {
    name: 'own-values',
    apply: 'build',
    config(_, { mode }) {
      if (wantsDemo && mode === 'production') Object.assign(process.env, loadEnv('demo', process.cwd()))
    },
    configResolved({ mode, env }) {
      if (wantsDemo || mode !== 'production') return
      const problems = problemsOf(env)
      if (problems.length === 0) return
      throw new Error(
        `本番のビルドには、自分の値がすべて要るか、一つも要りません（デモの値で試すなら DEMO_VALUES=1）。\n${problems.join('\n')}`,
      )
    },
  }
}
