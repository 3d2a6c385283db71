export interface Block {
  /** The heading it stands under. */
  step: string
  path: string
  kind: 'file' | 'diff' | 'commands'
  text: string
}
export function blocksOf(markdown: string): Block[]
export function filesOf(blocks: readonly Block[]): { product: string[]; tests: string[] }
export function patched(text: string, block: Pick<Block, 'path' | 'text'>): string
interface Named {
  /** camelCase or kebab-case. */
  name: string
  label: string
}
export function renamed(blocks: readonly Block[], from: Named, to: Named): Block[]
export function apply(root: string, blocks: readonly Block[], env?: NodeJS.ProcessEnv): void
export function copyOf(root: string, to: string): string
