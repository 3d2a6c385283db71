/**
 * ArkType tries whether it may make code from text, and does where it may. Under the policy the try alone is a violation:
 * in a build it may not (docs/decisions/hosting.md). Tried with @ark/util 0.56.
 */
import type { Plugin } from 'vite'

const TRY = 'new Function("return false")()'

export function arkTypeWithoutFunction(): Plugin {
  return {
    name: 'arktype-without-function',
    apply: 'build',
    transform: {
      filter: { id: /@ark\/util\/out\/functions\.js/ },
      handler(code) {
        if (!code.includes(TRY)) this.error('ArkType asks in another way whether it may make functions')
        return { code: code.replace(TRY, 'true'), map: null }
      },
    },
  }
}
