/**
 * Inline script of the document's head. Applies the stored theme before the first paint, to avoid a flash of another one;
 * from hydration on, theme-setting.ts does.
 */
export const themeBootScript =
  "try{var t=localStorage.getItem('theme');" +
  "if(t==='soft-dark'||t==='hc')document.documentElement.setAttribute('data-theme',t)}catch(e){}"
