//! The table of rules: title, name, code, severity, reason and remedy for each.

/// Passes the rows for all rules to the macro `$apply`.
macro_rules! rules {
    ($apply:ident) => {
        $apply! {
            /// The list runs into memory that does not exist.
            ListUnmapped = "list-unmapped", Error,
                "The hardware waits forever for a word that no memory answers.",
                "End the list with FINISH and END, and check the target of the last jump.";
            /// The list runs into words that were never written.
            MissingEnd = "missing-end", Error,
                "Without FINISH and END the hardware executes the bytes after the list.",
                "Write FINISH and END after the last command, and RET at the end of a called list.";
            /// FINISH is not followed by END.
            FinishWithoutEnd = "finish-without-end", Warning,
                "The firmware ends the list when it sees the FINISH, and the commands after it may run or not; here they run.",
                "Write END as the next word after FINISH.";
            /// SIGNAL is not followed by END.
            SignalWithoutEnd = "signal-without-end", Warning,
                "A signal acts at the END immediately after it; without that END it has no effect.",
                "Write END as the next word after SIGNAL.";
            /// END follows neither FINISH nor SIGNAL.
            EndWithoutFinish = "end-without-finish", Warning,
                "The hardware stops there and tells nobody, and the program that waits for the list hangs; here the list goes on.",
                "Write FINISH as the word before END.";
            /// The list does not end within the limit of commands.
            EndlessList = "endless-list", Error,
                "A list that jumps in a circle never finishes, and the program that waits for it hangs.",
                "Check the jumps of the list; a long list needs a higher limit of commands.";
            /// A limit ended the run before the list did.
            LimitReached = "limit-reached", Warning,
                "Everything after that point was not checked.",
                "Check again with a higher limit.";
            /// The list waits at its stall address for ever.
            StallReached = "stall-reached", Error,
                "The hardware goes on only if the program moves the address, and the program that waits for the list hangs.",
                "Move the stall address past the END, or to 0, before the program waits for the list.";
            /// The list goes past its stall address without waiting there.
            StallPassed = "stall-passed", Warning,
                "The hardware waits only at the stall address itself, so after a jump over it words run that the program may not have written yet.",
                "Choose a stall address on the list's way, or 0 if all its words are written.";
            /// A jump or call goes to memory that does not exist.
            TargetUnmapped = "target-unmapped", Error,
                "The hardware waits forever for a word that no memory answers.",
                "Check BASE, the offset register and the argument: the target is their sum.";
            /// The target of a jump or call is not a multiple of 4.
            TargetUnaligned = "target-unaligned", Warning,
                "The lowest two bits are ignored, so the list goes on at another address.",
                "Align lists to 4 bytes.";
            /// Calls are nested more than two deep.
            DeepCalls = "deep-calls", Warning,
                "The hardware keeps two return addresses, and what it does at a third call is not known.",
                "Flatten the lists, or call them by SIGNAL, whose stack the program provides.";
            /// A CALL is ignored because the call stack is full.
            CallStackFull = "call-stack-full", Error,
                "The called list does not run, and its RET returns too far.",
                "Return from each called list, and nest calls less deeply.";
            /// RET is executed outside a call.
            ReturnWithoutCall = "return-without-call", Warning,
                "Such a RET is ignored here; the list goes on with the next word.",
                "End the outermost list with FINISH and END.";
            /// A signal has a behaviour that the firmware does not know.
            UnknownSignal = "unknown-signal", Error,
                "The list stays in the state of drawing, and the program that waits for it hangs.",
                "Use one of the behaviours in the reference of SIGNAL.";
            /// A patch is divided too finely.
            PatchHang = "patch-hang", Error,
                "More than 64 divisions along u or v hang the hardware, and the program that waits for the list hangs, too.",
                "Set PATCHDIVISION to 64 by 64 at most, or use more patches.";
            /// A command without known effect has an argument.
            UnknownCommand = "unknown-command", Warning,
                "The hardware ignores the command. Often data are executed as commands, or a number is mistyped.",
                "Check the jump that led here, or use NOP.";
            /// Argument bits are set that no field of the command covers.
            UnnamedBits = "unnamed-bits", Hint,
                "The hardware ignores these bits.",
                "Leave them 0, so that readers do not look for their meaning.";
            /// A field holds a number without meaning.
            UnknownCode = "unknown-code", Warning,
                "The effect of the number is not documented, and consoles and emulators may differ.",
                "Use one of the values in the reference of the command.";
            /// A float in a register is infinite or NaN.
            FloatNotFinite = "float-not-finite", Warning,
                "Everything computed with it is infinite or NaN too, and such vertices are dropped.",
                "Check the computation of the number, for example for a division by 0.";
            /// More elements are written to a matrix than it has.
            MatrixOverflow = "matrix-overflow", Hint,
                "The number of the element counts on from the last element written, and elements past the end of the matrix are ignored.",
                "Set the number, such as WORLDMATRIXNUMBER 0, before the data: 16 elements for PROJ, 12 for the others.";
            /// Commands write the value that their register holds already.
            RepeatedWrite = "repeated-write", Hint,
                "Each command takes time, but these change nothing.",
                "Set state once, and set it again only if it changes.";
            /// Registers are written twice without a draw in between.
            OverwrittenWrite = "overwritten-write", Hint,
                "The first value is never used.",
                "Leave out the first command.";
            /// The list draws nothing.
            NoDraws = "no-draws", Warning,
                "A list without PRIM, BEZIER, SPLINE and VAP leaves the picture as it was.",
                "Check the count of each PRIM, and whether the list ends too early.";
            /// No draw covers a pixel.
            NothingDrawn = "nothing-drawn", Warning,
                "The picture stays as it was.",
                "Look at the causes of the single draws, which are reported as well.";
            /// The run left a note that no other rule covers.
            RunNote = "run-note", Hint,
                "Notes tell what the run left out or assumed.",
                "Decide from the text of the note.";

            /// The vertices are in memory that does not exist.
            VerticesUnmapped = "vertices-unmapped", Error,
                "The draw is skipped, and the vertex pointer does not advance.",
                "Check BASE, the offset register and VADDR: the address is their sum.";
            /// The palette is in memory that does not exist.
            PaletteUnmapped = "palette-unmapped", Warning,
                "All loaded entries are 0, so the texture is black or transparent.",
                "Check CLUTADDR and CLUTADDRUPPER.";
            /// A block transfer reads or writes memory that does not exist.
            TransferUnmapped = "transfer-unmapped", Error,
                "The hardware hangs.",
                "Check TRANSFERSRC, TRANSFERDST and the upper bits in TRANSFERSRCW and TRANSFERDSTW.";
            /// The texture is in memory that does not exist.
            TextureUnmapped = "texture-unmapped", Warning,
                "Such texels read as 0 here; the hardware's behaviour is unknown.",
                "Check TEXADDR and the upper address bits in TEXBUFWIDTH.";
            /// A draw reads past the end of memory.
            ReadPastMemory = "read-past-memory", Warning,
                "Missing memory reads as 0 here; the hardware's behaviour is unknown.",
                "Check the count of vertices and the largest index.";
            /// Vertices are read from memory that was never written.
            UnwrittenVertices = "unwritten-vertices", Warning,
                "The bytes come from earlier uses of the memory, so the picture differs from run to run.",
                "Check VADDR, the vertex type and the count, or supply the data.";
            /// Indices are read from memory that was never written.
            UnwrittenIndices = "unwritten-indices", Warning,
                "The bytes come from earlier uses of the memory, so the picture differs from run to run.",
                "Check IADDR and the count, or supply the data.";
            /// Texels are read from memory that was never written.
            UnwrittenTexture = "unwritten-texture", Warning,
                "The bytes come from earlier uses of the memory, so the picture differs from run to run.",
                "Check TEXADDR, TEXBUFWIDTH, TEXSIZE and TEXFORMAT, or supply the texture.";
            /// Texels are read from VRAM that neither the input nor a draw wrote.
            UnwrittenVram = "unwritten-vram", Hint,
                "The texels are 0 here. On a console they are those of an earlier frame or program.",
                "Draw or copy the texture first. A frame dump that lacks it cannot show the recorded picture.";
            /// A palette is loaded from memory that was never written.
            UnwrittenPalette = "unwritten-palette", Warning,
                "The colours come from earlier uses of the memory.",
                "Check CLUTADDR, CLUTADDRUPPER and the blocks of LOADCLUT, or supply the palette.";
            /// A block transfer copies memory that was never written.
            UnwrittenTransfer = "unwritten-transfer", Warning,
                "The copied bytes come from earlier uses of the memory.",
                "Check TRANSFERSRC, TRANSFERSRCPOS and TRANSFERSIZE, or supply the data.";
            /// Vertices are read past the end of the file part that they start in.
            VerticesPastFile = "vertices-past-file", Warning,
                "An index or a count is larger than the file's vertex data.",
                "Check the indices, the count and the vertex type.";
            /// Vertices overlap the words of the list.
            VerticesInList = "vertices-in-list", Warning,
                "Commands are read as vertices: the address, an index or the count is wrong.",
                "Check VADDR, the vertex type, the indices and the count.";
            /// The lowest four bits of an address are set.
            UnalignedAddress = "unaligned-address", Warning,
                "The hardware ignores these bits and uses the address before it.",
                "Align textures, palettes, buffers and transfers to 16 bytes.";
            /// The length of a row is not a multiple of its unit.
            UnalignedWidth = "unaligned-width", Warning,
                "The hardware rounds the length down, so the rows slant.",
                "Use rows of a multiple of 16 bytes for textures, of 4 pixels for buffers, of 8 for transfers.";
            /// The vertices are not aligned to their largest component.
            UnalignedVertices = "unaligned-vertices", Warning,
                "The hardware expects each component at a multiple of its size.",
                "Align vertex data to 4 bytes.";
            /// The indices are not aligned to their size.
            UnalignedIndices = "unaligned-indices", Warning,
                "The hardware expects each index at a multiple of its size.",
                "Align index data to 4 bytes.";
            /// A draw samples depth through a view of VRAM that does not show it in order.
            DepthView = "depth-view", Warning,
                "A PSP stores depth in an order that depends on the colour format of the target, so the texels come from other pixels.",
                "Sample at 0x04600000 plus the offset of ZBUFPTR for targets of 32 bits, and at 0x04200000 plus it for those of 16.";
            /// A draw samples the buffer that it writes.
            TextureIsTarget = "texture-is-target", Hint,
                "The texture cache decides which pixels the draw sees before and which after they are written.",
                "Draw to another buffer, unless the effect is wanted.";
            /// A texture was changed after it was sampled, and TEXFLUSH is missing.
            StaleTexture = "stale-texture", Warning,
                "The texture cache may still hold texels from before the change.",
                "Write TEXFLUSH after a texture's bytes changed.";
            /// A draw samples texels that the texture cache has kept, and memory has others.
            StaleTexels = "stale-texels", Error,
                "A PSP shows the old texels, and emulators without a texture cache show the new ones.",
                "Write TEXFLUSH after TEXADDR, and after a texture's bytes changed.";
            /// A draw has another texture than the draw before, and TEXFLUSH is missing.
            MissingTexflush = "missing-texflush", Warning,
                "The texture cache knows texels by their column and row only, so old texels may show up in the new texture.",
                "Write TEXFLUSH after TEXADDR.";
            /// CLUTADDR changed after the last LOADCLUT.
            StalePalette = "stale-palette", Warning,
                "Palette memory still holds the palette of the last LOADCLUT.",
                "Write LOADCLUT after CLUTADDR and CLUTADDRUPPER.";
            /// A texture uses palette memory that was never loaded.
            PaletteNeverLoaded = "palette-never-loaded", Warning,
                "All colours of the texture are 0.",
                "Write CLUTADDR, CLUTADDRUPPER and LOADCLUT before the draw.";
            /// A texture can reach more palette entries than were loaded.
            PaletteTooShort = "palette-too-short", Hint,
                "The other entries still hold those of an earlier palette.",
                "Load more blocks, unless the texels only use the first entries.";
            /// LOADCLUT loads no block.
            EmptyPaletteLoad = "empty-palette-load", Warning,
                "Palette memory stays as it was.",
                "Write the number of blocks of 32 bytes: 32 for 256 colours of 32 bits.";
            /// A mip level that may be sampled has no address.
            MissingLevel = "missing-level", Warning,
                "Minified pixels sample memory at address 0.",
                "Set TEXADDR, TEXBUFWIDTH and TEXSIZE of all levels up to the highest in TEXMODE.";
            /// A texture is larger than 512 texels.
            TextureTooLarge = "texture-too-large", Warning,
                "Texels from 512 on do not exist: coordinates wrap or clamp at 511.",
                "Split the texture, or move TEXADDR for each part.";
            /// A swizzled texture has rows of fewer than 16 bytes.
            NarrowSwizzle = "narrow-swizzle", Hint,
                "A block of a swizzled texture has rows of 16 bytes, so narrower rows count as 16.",
                "Pad the rows to 16 bytes.";
            /// The rows of a texture are shorter than its width.
            NarrowTextureBuffer = "narrow-texture-buffer", Hint,
                "Texels beyond the buffer width are those of the next row.",
                "Set TEXBUFWIDTH to at least the width in TEXSIZE.";
            /// Colour and depth buffer overlap.
            BuffersOverlap = "buffers-overlap", Warning,
                "Each draw destroys depth by colour and colour by depth.",
                "Move ZBUFPTR past the last row of the colour buffer.";
            /// A draw passes the end of VRAM.
            BufferPastVram = "buffer-past-vram", Warning,
                "Pixels past the end are written to the start of VRAM.",
                "Check FRAMEBUFPTR, ZBUFPTR, the row lengths and SCISSOR2.";
            /// A draw is wider than the rows of its buffer.
            BufferTooNarrow = "buffer-too-narrow", Warning,
                "Pixels beyond the row length land in the next row.",
                "Set FRAMEBUFWIDTH and ZBUFWIDTH to at least the width of the picture, or reduce SCISSOR2.";

            /// A block transfer writes bytes that it reads later.
            TransferOverlap = "transfer-overlap", Warning,
                "The hardware copies by blocks of 16 bytes and keeps four of them, so that bytes repeat from 64 bytes on.",
                "Copy to another place first, unless the bytes are to repeat.";
            /// A texture is sampled from where a block transfer still writes.
            TransferWithoutSync = "transfer-without-sync", Warning,
                "The hardware transfers beside drawing, so that the draw may sample texels from before the transfer.",
                "Write TEXSYNC after the transfer (sceGuTexSync), and TEXFLUSH if the texture was sampled before.";
            /// A bounding box reaches behind the camera.
            BoxBehind = "box-behind", Warning,
                "The hardware compares with the magnitude of w, so that the box may be visible, and emulators take it as outside.",
                "Test smaller boxes, or draw without a test what is close to the camera.";
            /// A draw has no vertices.
            EmptyDraw = "empty-draw", Hint,
                "A count of 0 draws nothing and advances no pointer.",
                "Leave out the command.";
            /// A draw has too few vertices for one primitive.
            TooFewVertices = "too-few-vertices", Warning,
                "The draw covers no pixel.",
                "Check the count and the primitive type.";
            /// The last vertices of a draw make no whole primitive.
            IncompletePrimitive = "incomplete-primitive", Hint,
                "These vertices are ignored unless a CONTINUE follows.",
                "Check the count.";
            /// The vertex type has no position.
            NoPosition = "no-position", Warning,
                "Vertices without position draw nothing.",
                "Set the position format in VTYPE.";
            /// Through mode clamps a position.
            ThroughClamped = "through-clamped", Warning,
                "The hardware clamps x and y to -2048 to 2047.9375, which bends shapes, and emulators draw beyond.",
                "Cut shapes at the edges of the screen.";
            /// A morphed colour adds up to less than 0.
            NegativeColor = "negative-color", Warning,
                "The hardware takes the magnitude of the sum, and emulators take 0.",
                "Choose morph weights whose sums are not negative.";
            /// All morph weights are 0.
            ZeroMorph = "zero-morph", Warning,
                "The sum of the morph frames is 0, so all vertices are at the origin.",
                "Set MORPHWEIGHT0 and the following registers.";
            /// Skinning weights do not add up to 1.
            WeightsSum = "weights-sum", Hint,
                "The hardware does not normalise weights: such vertices are scaled towards the origin or away from it.",
                "Normalise the weights of each vertex.";
            /// A vertex holds an infinite number or NaN.
            VertexNotFinite = "vertex-not-finite", Warning,
                "The vertex has no place on the screen, or its texel is undefined.",
                "Check the vertex data and the vertex type.";
            /// A matrix is zero, so all vertices collapse to one point.
            ZeroMatrix = "zero-matrix", Warning,
                "All matrices are 0 after a reset; the list has to write WORLD, VIEW and PROJ.",
                "Write the matrix before the draw.";
            /// WORLD flattens all primitives.
            SingularMatrix = "singular-matrix", Hint,
                "A world matrix with determinant 0 maps space to a plane, a line or a point.",
                "Check the scale in the world matrix.";
            /// A viewport scale is 0.
            ZeroViewport = "zero-viewport", Warning,
                "All vertices land on one line of the screen.",
                "Set VIEWPORTXSCALE to half the width and VIEWPORTYSCALE to minus half the height.";
            /// Scissor and region have no pixel in common.
            EmptyScissor = "empty-scissor", Warning,
                "Only pixels inside the scissor and the region are drawn. Both are 0 after a reset, which leaves one pixel.",
                "Set SCISSOR2 and REGION2 to the last column and row.";
            /// All primitives are outside the scissor or the region.
            OutsideScissor = "outside-scissor", Hint,
                "Only pixels inside the scissor and the region are drawn.",
                "Check SCISSOR1, SCISSOR2 and REGION2.";
            /// All primitives are outside the buffer.
            OutsideBuffer = "outside-buffer", Hint,
                "The position on the screen, less the screen offset, is outside the columns and rows 0 to 1023.",
                "Check VIEWPORTXCENTER, VIEWPORTYCENTER, OFFSETX and OFFSETY.";
            /// All primitives are culled by their winding.
            AllCulled = "all-culled", Hint,
                "Culling drops triangles of one winding.",
                "If the surface should be seen from this side, invert CULL or switch CULLENABLE off.";
            /// All primitives are outside the view volume.
            OutsideView = "outside-view", Hint,
                "All vertices of each primitive are beyond the same side of the view volume.",
                "Check the matrices, if the object should be in view.";
            /// All primitives are behind the camera.
            BehindCamera = "behind-camera", Hint,
                "Their w is 0 or negative.",
                "Check VIEW and PROJ, if the object should be in view.";
            /// All primitives leave the screen space of 4096 by 4096 pixels.
            OutsideScreenSpace = "outside-screen-space", Hint,
                "A primitive with a vertex outside the screen space is dropped as a whole.",
                "Divide large primitives, or check VIEWPORTXCENTER and VIEWPORTYCENTER, which are usually 2048.";
            /// All primitives leave the depth range of 16 bits.
            OutsideDepth = "outside-depth", Hint,
                "With DEPTHCLAMPENABLE 0, a primitive with a depth outside 0 to 65535 is dropped as a whole.",
                "Switch DEPTHCLAMPENABLE on, or check VIEWPORTZSCALE and VIEWPORTZCENTER.";
            /// All primitives are dropped, for several reasons.
            AllDropped = "all-dropped", Hint,
                "Some are outside the view, some are culled, some have no area.",
                "Look at the counts in the message.";
            /// No primitive has an area.
            NoArea = "no-area", Hint,
                "Triangles, lines and rectangles without an extent cover no pixel.",
                "Check the vertex data; equal corners are usual in strips only.";
            /// All primitives are too small to cover the centre of a pixel.
            TooSmall = "too-small", Hint,
                "A pixel is drawn only if its centre is inside the primitive.",
                "Leave out objects that are this far away.";
            /// MINZ and MAXZ reject all pixels.
            DepthRangeRejects = "depth-range-rejects", Hint,
                "Only depths from MINZ to MAXZ are drawn. Both are 0 after a reset.",
                "Set MINZ to 0 and MAXZ to 65535, unless the range is wanted.";
            /// The range from MINZ to MAXZ is empty.
            EmptyDepthRange = "empty-depth-range", Warning,
                "MINZ is larger than MAXZ, or both are 0 as after a reset, which leaves depth 0 only.",
                "Set MINZ to 0 and MAXZ to 65535.";
            /// A test has the function NEVER.
            TestNever = "test-never", Warning,
                "No pixel passes.",
                "Choose another function, or switch the test off.";
            /// The alpha test rejects all pixels.
            AlphaTestRejects = "alpha-test-rejects", Hint,
                "No pixel's alpha passes the comparison.",
                "Check ALPHATEST, the alpha of vertices and texels, and TEXFUNC.";
            /// The colour test rejects all pixels.
            ColorTestRejects = "color-test-rejects", Hint,
                "No pixel's colour passes the comparison.",
                "Check COLORTEST, COLORREF and COLORTESTMASK.";
            /// The stencil test rejects all pixels.
            StencilTestRejects = "stencil-test-rejects", Hint,
                "The stored stencil of no pixel passes the comparison.",
                "Check STENCILTEST and the draw that prepares the stencil.";
            /// The depth test rejects all pixels.
            DepthTestRejects = "depth-test-rejects", Hint,
                "Everything is hidden, or depth was cleared to the wrong end of the range.",
                "If the object should be seen, check ZTEST and the depth that is cleared.";
            /// Several tests together reject all pixels.
            TestsReject = "tests-reject", Hint,
                "Each pixel fails at least one of the tests.",
                "Check each of the tests in the message.";
            /// A draw covers no pixel, for a reason that was not found.
            NoPixels = "no-pixels", Hint,
                "The examination ran into a limit, or the reason lies outside of it.",
                "Check again with a higher limit of pixels.";
            /// A draw's pixels change no byte.
            WritesNothing = "writes-nothing", Warning,
                "The masks protect all bits, or clear mode clears none of the buffers.",
                "Check MASKRGB, MASKALPHA, CLEARMODE, and the depth and stencil writes.";

            /// Fog is on, but the draw has none.
            FogWithoutEffect = "fog-without-effect", Hint,
                "Clear mode and through mode have no fog.",
                "Switch FOGENABLE off, or ignore the hint: it costs no time.";
            /// Lighting is on in through mode.
            LightingWithoutEffect = "lighting-without-effect", Hint,
                "Vertices in through mode keep their own colour.",
                "Switch LIGHTINGENABLE off, or ignore the hint.";
            /// Lighting is on, but no light is.
            LightingWithoutLights = "lighting-without-lights", Hint,
                "Only the ambient and the emissive colour remain.",
                "Switch a light on, or set the colour by the vertices.";
            /// A light is on, but lighting is off.
            LightsWithoutLighting = "lights-without-lighting", Hint,
                "Lights act only if LIGHTINGENABLE is 1.",
                "Switch LIGHTINGENABLE on, or the lights off.";
            /// Lighting is on, but the vertices have no normals.
            LightingWithoutNormals = "lighting-without-normals", Warning,
                "All vertices take the normal of the last vertex that had one, even of an earlier draw.",
                "Add normals to the vertex type, or switch lighting off.";
            /// Blending is on, but copies the source.
            BlendWithoutEffect = "blend-without-effect", Hint,
                "The factors are 1 and 0, so the result is the source, but the pixel is read first.",
                "Switch BLENDENABLE off.";
            /// A test is on that passes everything and changes nothing.
            TestWithoutEffect = "test-without-effect", Hint,
                "The function is ALWAYS.",
                "Switch the test off.";
            /// Texturing is on, but the vertices have no texture coordinates.
            TextureWithoutCoordinates = "texture-without-coordinates", Hint,
                "All vertices take the coordinates of the last vertex that had some, even of an earlier draw.",
                "Add coordinates to the vertex type, or switch TEXENABLE off.";
            /// The vertices have texture coordinates, but texturing is off.
            CoordinatesWithoutTexture = "coordinates-without-texture", Hint,
                "The coordinates take memory and time for no effect.",
                "Switch TEXENABLE on, or use a vertex type without coordinates.";
            /// Dither is on, but the framebuffer keeps all bits.
            DitherWithoutEffect = "dither-without-effect", Hint,
                "In format 8888 dither adds noise to colours that need none.",
                "Switch DITHERENABLE off.";
            /// Antialiasing is on, but the draw has no lines.
            AntialiasWithoutLines = "antialias-without-lines", Hint,
                "Only lines are antialiased.",
                "Switch ANTIALIASENABLE off.";
            /// The filter uses mip levels, but the texture has one level.
            MipmapsWithoutLevels = "mipmaps-without-levels", Hint,
                "With a highest level of 0 in TEXMODE, level 0 is always used.",
                "Choose a filter without mipmaps, or supply levels.";
            /// The logic operation copies the source.
            LogicWithoutEffect = "logic-without-effect", Hint,
                "COPY stores the source colour as drawing without logic operation does.",
                "Switch LOGICOPENABLE off.";
            /// The vertices have colours that lighting does not use.
            ColorWithoutEffect = "color-without-effect", Hint,
                "With lighting on, the vertex colour counts only for the materials in MATERIALUPDATE.",
                "Set MATERIALUPDATE, or use a vertex type without colours.";
            /// The vertices have normals that the draw does not use.
            NormalsWithoutEffect = "normals-without-effect", Hint,
                "Normals serve lighting, environment maps and texture matrices only.",
                "Use a vertex type without normals.";

            /// The dump lacks the target addresses of CPU copies.
            LostCopies = "lost-copies", Warning,
                "These copies cannot be replayed, so pixels that they wrote are missing.",
                "Record the frame again with a newer emulator.";
            /// A record of the dump has no effect.
            IgnoredRecord = "ignored-record", Hint,
                "The replay drops it, as other players do.",
                "Remove the record, if the dump was edited.";
            /// The dump restores all registers in the middle of the frame.
            LateRestore = "late-restore", Hint,
                "State before this point has no effect after it.",
                "Usual in frames of several lists with saved contexts.";
            /// The dump shows no framebuffer.
            NoDisplay = "no-display", Hint,
                "Players show the last framebuffer instead, which may be an intermediate buffer.",
                "End the recording with the display of the finished frame.";

            /// Something is missing in the file, guessed or contradictory.
            FileProblem = "file-problem", Warning,
                "The picture may be wrong: textures are missing, a part is damaged, a field has an unknown meaning.",
                "Decide from the text of the note; often a companion file has to be named.";
            /// Opening the file left a note.
            FileNote = "file-note", Hint,
                "Nothing is missing because of it.",
                "Decide from the text of the note.";
            /// No part of the model uses a texture.
            UnusedTexture = "unused-texture", Hint,
                "The texture takes memory for no effect, unless the program switches textures itself.",
                "Remove the texture, or check the materials.";
            /// A part with texture coordinates has no texture.
            UntexturedPart = "untextured-part", Hint,
                "The part is drawn in one colour. Often the file with the textures is missing.",
                "Open the model together with its texture file, or check the material.";
            /// A part of the model has no draw.
            EmptyPart = "empty-part", Warning,
                "The part's list runs without drawing.",
                "Remove the part, or check its list.";
            /// A part refers to a bone that the skeleton does not have.
            MissingBone = "missing-bone", Warning,
                "The part cannot follow the skeleton.",
                "Check the bone numbers, or open the model with its own skeleton.";
        }
    };
}
pub(super) use rules;
