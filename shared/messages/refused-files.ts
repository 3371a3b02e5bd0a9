/** "Amazon SES unsupported attachment types" in the developer guide of SES. */
const extensions = `
ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk mad maf mag mam maq mar mas
mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp mst ops pcd pif plg prf prg reg scf scr sct shb shs
sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk
`;

const refused = new Set(extensions.trim().split(/\s+/));

/** The end of the name of a file that SES does not send; undefined of others. */
export const refusedExtension = (filename: string): string | undefined => {
  const [, extension = ''] = /\.([^.]*)$/.exec(filename.toLowerCase()) ?? [];
  return refused.has(extension) ? `.${extension}` : undefined;
};
