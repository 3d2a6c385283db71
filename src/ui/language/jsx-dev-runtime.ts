/** Replaces React's `jsx-dev-runtime` in development and tests: localizes texts as `jsx-runtime.ts` does in a build. */
import { Fragment, jsxDEV as reactJsxDEV } from 'react/jsx-dev-runtime'
import { localizedProps, type Props } from './marked-text.ts'

export { Fragment }

export const jsxDEV: typeof reactJsxDEV = (type, props, ...rest) =>
  reactJsxDEV(type, localizedProps(type, props as Props), ...rest)
