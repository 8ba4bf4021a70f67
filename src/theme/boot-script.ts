/**
 * Inline script of the document's head. Applies the stored theme before the first paint, to avoid a flash of another one;
 * from hydration on, theme.tsx does.
 */
export const themeBootScript =
  "try{var d=document.documentElement,t=localStorage.getItem('theme'),s=localStorage.getItem('scheme');" +
  "if(t==='soft-dark'||t==='hc')d.setAttribute('data-theme',t);" +
  "if(s==='light'||s==='dark')d.setAttribute('data-scheme',s)}catch(e){}"
