/**
 * Prevents ArkType from trying `new Function` in a build, because the attempt alone violates the content policy
 * (docs/decisions/hosting.md). Written for @ark/util 0.56.
 */
import type { Plugin } from 'vite'

const ATTEMPT = 'new Function("return false")()'

export function arkTypeWithoutFunction(): Plugin {
  return {
    name: 'arktype-without-function',
    apply: 'build',
    transform: {
      filter: { id: /@ark\/util\/out\/functions\.js/ },
      handler(code) {
        if (!code.includes(ATTEMPT)) this.error('ArkType asks in another way whether it may make functions')
        return { code: code.replace(ATTEMPT, 'true'), map: null }
      },
    },
  }
}
